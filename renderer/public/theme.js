// Runs before the first paint, so that a chosen theme never flashes. A file of its own: the content security policy allows no inline script.
(() => {
  try {
    const theme = JSON.parse(localStorage.getItem('burrow.preferences') ?? '{}').theme;
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is not available or has an invalid value: the system's theme is used.
  }
})();
