package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// executor runs commands in a container's folder, and attaches to its main process.
type executor struct {
	containers *containers
	at         id
}

func (e executor) ExecInContainer(_ context.Context, _ string, _ string, _ string, words []string, in io.Reader, out, err io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	folder, problem := e.containers.folderOf(e.at)
	if problem != nil {
		return problem
	}
	command := exec.Command(words[0], words[1:]...)
	command.Dir = folder
	if tty {
		return exitError(runOnTerminal(command, in, out, resize))
	}
	command.Stdout = out
	command.Stderr = err
	if in != nil {
		// A copy of our own: Run would wait for input that never ends.
		stdin, problem := command.StdinPipe()
		if problem != nil {
			return problem
		}
		go func() {
			io.Copy(stdin, in)
			stdin.Close()
		}()
	}
	if problem := command.Start(); problem != nil {
		return problem
	}
	return exitError(command.Wait())
}

func (e executor) AttachContainer(ctx context.Context, _ string, _ string, _ string, in io.Reader, out, err io.WriteCloser, _ bool, resize <-chan remotecommand.TerminalSize) error {
	container := e.containers.find(e.at)
	if container == nil {
		return fmt.Errorf("container %q does not run", e.at.container)
	}
	go func() {
		for range resize {
			// The main process has no terminal.
		}
	}()
	container.mutex.Lock()
	if out != nil {
		container.outputs[out] = "stdout"
	}
	if err != nil {
		container.outputs[err] = "stderr"
	}
	container.mutex.Unlock()
	defer func() {
		container.mutex.Lock()
		delete(container.outputs, out)
		delete(container.outputs, err)
		container.mutex.Unlock()
	}()
	gone := make(chan struct{})
	if in != nil {
		go func() {
			if container.stdin != nil {
				io.Copy(container.stdin, in)
				container.stdin.Close()
			} else {
				io.Copy(io.Discard, in)
			}
			close(gone)
		}()
	}
	select {
	case <-container.done:
	case <-ctx.Done():
	}
	return nil
}

// exitError converts the error of a process to the one whose code becomes part of the status.
func exitError(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	code := exit.ExitCode()
	if code < 0 {
		// Ended by a signal.
		code = 137
	}
	return utilexec.CodeExitError{Err: fmt.Errorf("exit status %d", code), Code: code}
}

// forwarder connects to ports of this machine: the pods have its network.
type forwarder struct{}

func (forwarder) PortForward(_ context.Context, _ string, _ string, port int32, stream io.ReadWriteCloser) error {
	connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer connection.Close()
	done := make(chan error, 1)
	go func() {
		_, err := io.Copy(stream, connection)
		done <- err
	}()
	go func() {
		io.Copy(connection, stream)
		connection.(*net.TCPConn).CloseWrite()
	}()
	return <-done
}
