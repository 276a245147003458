import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** A package for browsers as one script, as a bundler makes it for an app; its exports are the global `name`. */
export async function bundleForPage(packageName: string, name: string): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve(packageName));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, name, formats: ['iife'] } },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((bundle) =>
    'output' in bundle ? bundle.output : [],
  );
  const chunk = outputs.find((output) => output.type === 'chunk');
  if (chunk === undefined) throw new Error(`${packageName} was not bundled`);
  return chunk.code;
}
