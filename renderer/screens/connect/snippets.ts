/** The lines that connect each kind of product to this server. Pure: host and project token in, text out. */

import type { CodeLanguage } from '../../ui/code-tokens.ts';

export interface Snippet {
  id: string;
  label: string;
  /** What to run first. */
  install?: string;
  /** Where the code belongs. */
  file?: string;
  language: CodeLanguage;
  code: string;
  /** An additional hint for the user. */
  note: string;
}

export interface SnippetGroup {
  id: string;
  label: string;
  /** More than one where there is a choice, as between a script tag and npm. */
  snippets: readonly Snippet[];
}

/** The dated set of defaults that posthog-js applies; snippets use the newest one of the tested release. */
const JS_DEFAULTS = '2026-01-30';
const TEST_USER_HINT =
  'On localhost, posthog-js treats every visitor as a test user and creates a person for each.';
const MOVE_HINT = 'Already on PostHog? Change only the marked line and the key.';

/** All snippets for this host (scheme, name and port, no slash at the end) and project token. */
export function snippets(host: string, token: string): SnippetGroup[] {
  return [
    { id: 'browser', label: 'Browser', snippets: [npm(host, token), scriptTag(host, token)] },
    single(react(host, token)),
    single(vue(host, token)),
    single(next(host, token)),
    single(node(host, token)),
    single(python(host, token)),
    single(go(host, token)),
    single(ios(host, token)),
    single(android(host, token)),
    single(curl(host, token)),
    single(env(host, token)),
    single(container(host, token)),
  ];
}

/** The address of this computer's loopback as another machine on it sees it, such as an emulator or a container. */
export function replaceLoopback(host: string, name: string): string {
  const url = new URL(host);
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) url.hostname = name;
  return url.origin;
}

/** The lines of a snippet with the host, which users of PostHog have to change. */
export function hostLines(code: string): Set<number> {
  const lines = code.split('\n');
  return new Set(lines.flatMap((line, index) => (/https?:\/\//.test(line) ? [index] : [])));
}

function single(snippet: Snippet): SnippetGroup {
  return { id: snippet.id, label: snippet.label, snippets: [snippet] };
}

function initOptions(host: string): string {
  return `{
  api_host: '${host}',
  person_profiles: 'identified_only',
  defaults: '${JS_DEFAULTS}',
}`;
}

function npm(host: string, token: string): Snippet {
  return {
    id: 'browser-npm',
    label: 'npm',
    install: 'npm install posthog-js',
    language: 'js',
    code: `import posthog from 'posthog-js'

posthog.init('${token}', ${initOptions(host)})

posthog.capture('invoice sent', { amount: 480, currency: 'EUR' })`,
    note: `${MOVE_HINT} ${TEST_USER_HINT}`,
  };
}

function scriptTag(host: string, token: string): Snippet {
  return {
    id: 'browser-script',
    label: 'Script tag',
    file: 'In <head>, on every page',
    language: 'html',
    code: `<script src="${host}/static/array.js"></script>
<script>
  posthog.init('${token}', {
    api_host: '${host}',
    person_profiles: 'identified_only',
    defaults: '${JS_DEFAULTS}',
  })
</script>`,
    note: `Burrow serves the library itself, so this also works offline. ${TEST_USER_HINT}`,
  };
}

function react(host: string, token: string): Snippet {
  return {
    id: 'react',
    label: 'React',
    install: 'npm install posthog-js',
    file: 'src/main.jsx',
    language: 'js',
    code: `import { createRoot } from 'react-dom/client'
import { PostHogProvider } from 'posthog-js/react'
import App from './App'

const options = ${initOptions(host)}

createRoot(document.getElementById('root')).render(
  <PostHogProvider apiKey="${token}" options={options}>
    <App />
  </PostHogProvider>,
)`,
    note: 'In a component: const posthog = usePostHog(), from the same package.',
  };
}

function vue(host: string, token: string): Snippet {
  return {
    id: 'vue',
    label: 'Vue',
    install: 'npm install posthog-js',
    file: 'src/plugins/posthog.js, then app.use(posthogPlugin) in main.js',
    language: 'js',
    code: `import posthog from 'posthog-js'

const posthogPlugin = {
  install(app) {
    posthog.init('${token}', {
      api_host: '${host}',
      person_profiles: 'identified_only',
      defaults: '${JS_DEFAULTS}',
    })
    app.config.globalProperties.$posthog = posthog
    app.provide('posthog', posthog)
  },
}`,
    note: MOVE_HINT,
  };
}

function next(host: string, token: string): Snippet {
  return {
    id: 'next',
    label: 'Next',
    install: 'npm install posthog-js',
    file: 'instrumentation-client.js, next to next.config.js (Next 15.3 or newer)',
    language: 'js',
    code: `import posthog from 'posthog-js'

posthog.init('${token}', ${initOptions(host)})`,
    note: 'Pageviews are captured automatically, including client-side navigation.',
  };
}

function node(host: string, token: string): Snippet {
  return {
    id: 'node',
    label: 'Node',
    install: 'npm install posthog-node',
    file: 'first-event.mjs',
    language: 'js',
    code: `import { PostHog } from 'posthog-node'

const posthog = new PostHog('${token}', {
  host: '${host}',
})

posthog.capture({
  distinctId: 'user-42',
  event: 'invoice paid',
  properties: { amount: 480, currency: 'EUR' },
})

await posthog.shutdown()`,
    note: 'shutdown() sends all queued events. Call it once, when your server stops.',
  };
}

function python(host: string, token: string): Snippet {
  return {
    id: 'python',
    label: 'Python',
    install: 'pip install posthog',
    language: 'python',
    code: `from posthog import Posthog

posthog = Posthog(
    project_api_key='${token}',
    host='${host}',
)

posthog.capture('invoice paid', distinct_id='user-42', properties={'amount': 480})

posthog.shutdown()`,
    note: 'Before version 6 the order is capture(distinct_id, event). shutdown() sends all queued events.',
  };
}

function go(host: string, token: string): Snippet {
  return {
    id: 'go',
    label: 'Go',
    install: 'go get github.com/posthog/posthog-go',
    language: 'go',
    code: `package main

import "github.com/posthog/posthog-go"

func main() {
	client, err := posthog.NewWithConfig(
		"${token}",
		posthog.Config{Endpoint: "${host}"},
	)
	if err != nil {
		panic(err)
	}
	defer client.Close()

	client.Enqueue(posthog.Capture{
		DistinctId: "user-42",
		Event:      "invoice paid",
		Properties: posthog.NewProperties().Set("amount", 480),
	})
}`,
    note: 'Close() sends all queued events.',
  };
}

function ios(host: string, token: string): Snippet {
  return {
    id: 'ios',
    label: 'iOS',
    install: 'https://github.com/PostHog/posthog-ios.git',
    file: 'Add the Swift package above; in your App’s init or AppDelegate',
    language: 'swift',
    code: `import PostHog

let config = PostHogConfig(
    apiKey: "${token}",
    host: "${host}"
)
PostHogSDK.shared.setup(config)

PostHogSDK.shared.capture("invoice sent", properties: ["amount": 480])`,
    note: 'The simulator shares this computer’s address. Plain HTTP requires NSAllowsLocalNetworking in Info.plist.',
  };
}

function android(host: string, token: string): Snippet {
  return {
    id: 'android',
    label: 'Android',
    install: 'implementation("com.posthog:posthog-android:3.+")',
    file: 'Add the line above to build.gradle.kts; in your Application’s onCreate',
    language: 'kotlin',
    code: `val config = PostHogAndroidConfig(
    apiKey = "${token}",
    host = "${replaceLoopback(host, '10.0.2.2')}",
)
PostHogAndroid.setup(this, config)

PostHog.capture("invoice sent", properties = mapOf("amount" to 480))`,
    note: 'The emulator reaches this computer at 10.0.2.2. Plain HTTP requires android:usesCleartextTraffic="true".',
  };
}

function curl(host: string, token: string): Snippet {
  return {
    id: 'curl',
    label: 'curl',
    language: 'shell',
    code: `curl ${host}/capture/ \\
  -H 'Content-Type: application/json' \\
  -d '{
    "api_key": "${token}",
    "event": "invoice sent",
    "distinct_id": "user-42",
    "properties": { "amount": 480, "currency": "EUR" }
  }'`,
    note: 'The response is {"status":1}, even for an event that lacks a name or distinct_id; such an event is shown as dropped under Live.',
  };
}

function env(host: string, token: string): Snippet {
  return {
    id: 'env',
    label: '.env',
    file: '.env.local, kept out of version control',
    language: 'env',
    code: `# Server side
POSTHOG_HOST=${host}
POSTHOG_API_KEY=${token}

# Next
NEXT_PUBLIC_POSTHOG_HOST=${host}
NEXT_PUBLIC_POSTHOG_KEY=${token}

# Vite
VITE_POSTHOG_HOST=${host}
VITE_POSTHOG_KEY=${token}`,
    note: 'Development sends events to Burrow, and production keeps its own project. The names match the examples of the SDKs.',
  };
}

function container(host: string, token: string): Snippet {
  const inside = replaceLoopback(host, 'host.docker.internal');
  return {
    id: 'container',
    label: 'Container',
    file: 'compose.yaml',
    language: 'yaml',
    code: `services:
  app:
    environment:
      POSTHOG_HOST: ${inside}
      POSTHOG_API_KEY: ${token}
    extra_hosts:
      - 'host.docker.internal:host-gateway'`,
    note: 'Containers reach this computer at host.docker.internal. On Linux, also start Burrow with --host 0.0.0.0, because containers connect over the network.',
  };
}
