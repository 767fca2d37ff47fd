#!/usr/bin/env python3
"""in_terminal.py COMMAND...: runs the command with a terminal as its stdout and stderr; prints what it wrote with ESC
made visible, exits with its status."""
import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # Linux's end of file on a terminal whose other side is closed
        break
    if not piece:
        break
    text += piece
print(text.replace(b"\r\n", b"\n").replace(b"\x1b", b"<ESC>").decode(), end="")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
