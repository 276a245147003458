#!/usr/bin/env node
// The pool's size is fixed once anything uses it, and an ES module loads only after that; so this file is CommonJS.
process.env.UV_THREADPOOL_SIZE ??= '16';
// Every file of this process is readable by its owner alone, whatever the folder allows and whichever file writes it.
process.umask(0o077);
// Electron that runs as Node for this process would do so for every window that it starts, too.
delete process.env.ELECTRON_RUN_AS_NODE;
import('./server.mjs');
