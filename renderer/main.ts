import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono';
import './ui/tokens.css';
import './ui/base.css';
import './ui/contrast.css';
import './ui/menu.css';
import './ui/print.css';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { whenSignedOut } from './api/http.ts';
import { showUnhandled } from './composables/show-failure.ts';
import { watchNavigations } from './composables/use-debounced-query-param.ts';
import { createConsoleRouter } from './router.ts';
import { takeSignInToken } from './sign-in-token.ts';
import { useSessionStore } from './stores/session.store.ts';

const token = takeSignInToken(window);
const app = createApp(App).use(createPinia());
const session = useSessionStore();
const router = createConsoleRouter();

watchNavigations(router);

whenSignedOut(() => session.expire());

// The last resort: what a screen has not handled is shown, and still logged.
window.addEventListener('unhandledrejection', ({ reason }) => showUnhandled(reason));
app.config.errorHandler = (error) => {
  reportError(error);
  showUnhandled(error);
};

// A second link opened in the same tab changes only the fragment, so the page is not reloaded.
window.addEventListener('hashchange', () => {
  const next = takeSignInToken(window);
  if (next === null) return;
  void session.start(next).then(() => {
    // What the page shows may be of another user, or of a database that was replaced meanwhile.
    if (location.pathname === '/sign-in') void router.replace('/');
    else location.reload();
  });
});

// The screen is loaded while the session is requested.
for (const { components } of router.resolve(location.pathname + location.search).matched) {
  if (typeof components?.['default'] === 'function') void (components['default'] as () => Promise<unknown>)();
}

await session.start(token);
if (session.reason !== 'none') await router.replace('/sign-in');
app.use(router).mount('#app');
