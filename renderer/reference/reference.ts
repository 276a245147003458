import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono';
import '../ui/tokens.css';
import '../ui/contrast.css';
import './reference.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { readApiDocument } from '../api/api-document.api.ts';
import { accessibleParts } from './accessible-parts.ts';

/** The page at `/docs`: the API reference of this server, loaded from this server only. */
const root = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/** Swagger UI has a dark look of its own, behind this class; theme.js has read which one the console shows. */
function applyTheme(): void {
  const theme = root.dataset.theme ?? (prefersDark.matches ? 'dark' : 'light');
  root.classList.toggle('dark-mode', theme === 'dark');
}

applyTheme();
prefersDark.addEventListener('change', applyTheme);

const domNode = document.querySelector<HTMLElement>('#reference')!;

readApiDocument().then(
  (spec) =>
    SwaggerUI({
      spec,
      domNode,
      plugins: [accessibleParts],
      deepLinking: true,
      docExpansion: 'none',
      filter: true,
      validatorUrl: null,
      defaultModelsExpandDepth: -1,
      defaultModelRendering: 'example',
    }),
  (error: Error) => {
    domNode.textContent = `The reference cannot be shown: ${error.message}`;
  },
);
