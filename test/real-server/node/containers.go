package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// id names a container.
type id struct{ namespace, pod, container string }

// spec is the body of a request that starts a main process.
type spec struct {
	Command []string `json:"command"`
	TTY     bool     `json:"tty"`
	Stdin   bool     `json:"stdin"`
}

// containers holds the containers of all pods.
type containers struct {
	folder string
	mutex  sync.Mutex
	byID   map[id]*container
}

// container is a main process with its log and its listeners.
type container struct {
	folder  string
	command *exec.Cmd
	stdin   io.WriteCloser
	log     *logFile
	done    chan struct{}
	mutex   sync.Mutex
	outputs map[io.Writer]string
}

func newContainers(folder string) *containers {
	return &containers{folder: folder, byID: map[id]*container{}}
}

func (c *containers) find(at id) *container {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.byID[at]
}

// folderOf returns the folder in which a container's processes run.
func (c *containers) folderOf(at id) (string, error) {
	folder := filepath.Join(c.folder, at.namespace, at.pod, at.container)
	return folder, os.MkdirAll(folder, 0o755)
}

// start starts a main process. One that ran before becomes the previous instance.
func (c *containers) start(at id, body io.Reader) error {
	var given spec
	if err := json.NewDecoder(body).Decode(&given); err != nil {
		return err
	}
	folder, err := c.folderOf(at)
	if err != nil {
		return err
	}
	one := &container{folder: folder, done: make(chan struct{}), outputs: map[io.Writer]string{}}
	one.command = exec.Command(given.Command[0], given.Command[1:]...)
	one.command.Dir = folder
	one.log = newLogFile()
	stdout, err := one.command.StdoutPipe()
	if err != nil {
		return err
	}
	stderr, err := one.command.StderrPipe()
	if err != nil {
		return err
	}
	if given.Stdin {
		if one.stdin, err = one.command.StdinPipe(); err != nil {
			return err
		}
	}
	if err := one.command.Start(); err != nil {
		return err
	}
	var copied sync.WaitGroup
	for name, source := range map[string]io.Reader{"stdout": stdout, "stderr": stderr} {
		copied.Go(func() { one.copyOutput(name, source) })
	}
	go func() {
		copied.Wait()
		one.command.Wait()
		one.log.close()
		close(one.done)
	}()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if before := c.byID[at]; before != nil {
		one.log.previous = before.log
	}
	c.byID[at] = one
	return nil
}

func (c *containers) killAll() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, one := range c.byID {
		one.command.Process.Kill()
	}
}

// copyOutput writes output to the log and to everyone who is attached.
func (c *container) copyOutput(name string, source io.Reader) {
	reader := bufio.NewReader(source)
	buffer := make([]byte, 32*1024)
	for {
		count, err := reader.Read(buffer)
		if count > 0 {
			c.log.write(name, buffer[:count])
			c.mutex.Lock()
			for output, wanted := range c.outputs {
				if wanted == name {
					output.Write(buffer[:count])
				}
			}
			c.mutex.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// exitCode returns the code of a process that has ended, otherwise -1.
func (c *container) exitCode() int {
	select {
	case <-c.done:
		return c.command.ProcessState.ExitCode()
	default:
		return -1
	}
}
