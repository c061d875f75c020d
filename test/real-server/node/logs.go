package main

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// logLine is one line of a container's output.
type logLine struct {
	at     time.Time
	stream string
	text   []byte
}

// logFile holds the lines of one instance of a container.
type logFile struct {
	previous *logFile
	mutex    sync.Mutex
	changed  *sync.Cond
	lines    []logLine
	partial  map[string][]byte
	isClosed bool
}

func newLogFile() *logFile {
	log := &logFile{partial: map[string][]byte{}}
	log.changed = sync.NewCond(&log.mutex)
	return log
}

func (l *logFile) write(stream string, chunk []byte) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.partial[stream] = append(l.partial[stream], chunk...)
	for {
		end := bytes.IndexByte(l.partial[stream], '\n')
		if end < 0 {
			break
		}
		l.lines = append(l.lines, logLine{time.Now(), stream, bytes.Clone(l.partial[stream][:end+1])})
		l.partial[stream] = l.partial[stream][end+1:]
	}
	l.changed.Broadcast()
}

func (l *logFile) close() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for stream, rest := range l.partial {
		if len(rest) > 0 {
			l.lines = append(l.lines, logLine{time.Now(), stream, rest})
		}
	}
	l.isClosed = true
	l.changed.Broadcast()
}

// next returns the lines from an index on. It waits for the first one while more may come.
func (l *logFile) next(from int, wait bool, gone <-chan struct{}) (lines []logLine, isOver bool) {
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-gone:
			l.changed.Broadcast()
		case <-stop:
		}
	}()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for wait && from >= len(l.lines) && !l.isClosed {
		select {
		case <-gone:
			return nil, true
		default:
		}
		l.changed.Wait()
	}
	return l.lines[from:], !wait || l.isClosed
}

// serveLog responds as a kubelet does.
func (c *container) serveLog(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	log := c.log
	if query.Get("previous") == "true" {
		if log = log.previous; log == nil {
			return fmt.Errorf("previous terminated container not found")
		}
	}
	since, err := sinceOf(query.Get("sinceSeconds"), query.Get("sinceTime"))
	if err != nil {
		return err
	}
	limit := int64(-1)
	if text := query.Get("limitBytes"); text != "" {
		if limit, err = strconv.ParseInt(text, 10, 64); err != nil {
			return err
		}
	}
	from := 0
	if text := query.Get("tailLines"); text != "" {
		tail, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		lines, _ := log.next(0, false, r.Context().Done())
		from = max(0, len(lines)-tail)
	}
	w.Header().Set("Transfer-Encoding", "chunked")
	w.Header().Set("Content-Type", "text/plain")
	controller := http.NewResponseController(w)
	controller.Flush()
	for {
		lines, isOver := log.next(from, query.Get("follow") == "true", r.Context().Done())
		from += len(lines)
		for _, line := range lines {
			if line.at.Before(since) {
				continue
			}
			text := line.text
			if query.Get("timestamps") == "true" {
				text = append([]byte(line.at.UTC().Format("2006-01-02T15:04:05.000000000Z07:00")+" "), text...)
			}
			if limit >= 0 && int64(len(text)) > limit {
				text = text[:limit]
			}
			if limit >= 0 {
				limit -= int64(len(text))
			}
			if _, err := w.Write(text); err != nil {
				return nil
			}
			if limit == 0 {
				return nil
			}
		}
		controller.Flush()
		if isOver {
			return nil
		}
	}
}

func sinceOf(seconds, at string) (time.Time, error) {
	if seconds != "" {
		count, err := strconv.ParseInt(seconds, 10, 64)
		return time.Now().Add(-time.Duration(count) * time.Second), err
	}
	if at != "" {
		return time.Parse(time.RFC3339Nano, at)
	}
	return time.Time{}, nil
}
