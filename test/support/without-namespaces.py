"""Runs a program as a user who may not create namespaces: without-namespaces.py UID COMMAND...   (as root)

The limit belongs to a namespace of users, so it holds for this tree of processes alone, and set-uid programs work in it.
"""
import ctypes
import os
import sys

CLONE_NEWUSER = 0x10000000
uid = int(sys.argv[1])
unshared_read, unshared_write = os.pipe()
mapped_read, mapped_write = os.pipe()
pid = os.fork()
if pid == 0:
    if ctypes.CDLL(None).unshare(CLONE_NEWUSER):
        os._exit(90)
    os.write(unshared_write, b'x')
    os.read(mapped_read, 1)
    os.setgroups([])
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    with open('/proc/sys/user/max_user_namespaces', 'w') as limit:
        limit.write('0')
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    os.execvp(sys.argv[2], sys.argv[2:])
os.read(unshared_read, 1)
for name in ('uid_map', 'gid_map'):
    with open(f'/proc/{pid}/{name}', 'w') as ids:
        ids.write('0 0 4294967295')
os.write(mapped_write, b'x')
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
