/** A Vitest reporter that counts tests, and keeps why each skipped one was skipped. */
export function createTestCounter() {
  const counts = { passed: 0, failed: 0, skipped: [] };
  const reporter = {
    onTestRunEnd(modules, unhandledErrors, reason) {
      counts.failed += unhandledErrors.length;
      for (const module of modules) {
        // A file or a suite that cannot be set up holds no test that could fail.
        for (const suite of [module, ...module.children.allSuites()]) counts.failed += suite.errors().length;
        for (const test of module.children.allTests()) count(test, counts);
      }
      if (reason === 'interrupted') counts.failed += 1;
    },
  };
  return { counts, reporter };
}

function count(test, counts) {
  const { state, note } = test.result();
  if (state === 'passed') counts.passed += 1;
  else if (state === 'skipped')
    counts.skipped.push({ name: test.fullName, reason: note ?? 'no reason given' });
  else counts.failed += 1;
}
