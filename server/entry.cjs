#!/usr/bin/env node
// The pool's size is fixed once anything uses it, and an ES module loads only after that; so this file is CommonJS.
process.env.UV_THREADPOOL_SIZE ??= '16';
import('./server.mjs');
