import { computed, ref } from 'vue';
import { toast } from 'vue-sonner';
import { useProjectStore } from '../../stores/project.store.ts';
import { copyText } from '../../ui/use-copy.ts';
import { requestSnippets } from './request-snippets.ts';
import type { Explained } from './use-explained.ts';
import type { usePlayground } from './use-playground.ts';

/** The request as code, and what the keys and buttons copy. */
export function useRequestCopies(
  { context, endpoint, flagKey }: ReturnType<typeof usePlayground>,
  explained: () => Explained | null,
) {
  const project = useProjectStore().current!;
  const snippetId = ref('curl');

  const snippets = computed(() =>
    requestSnippets({
      host: location.origin,
      token: project.api_token,
      context: context.value,
      endpoint: endpoint.value,
      flagKey: flagKey.value,
    }),
  );

  async function copy(text: string, what: string): Promise<void> {
    if (await copyText(text)) toast(`${what} copied`);
    else toast('The browser blocked copying', { description: text.slice(0, 200) });
  }

  function copyRequest(): void {
    const snippet = snippets.value.find(({ id }) => id === snippetId.value) ?? snippets.value[0]!;
    if (context.value.distinctId !== '') void copy(snippet.code, `Request as ${snippet.label}`);
  }

  function copyResponse(): void {
    const raw = explained()?.raw;
    if (raw) void copy(raw.text, 'Response');
  }

  return { snippetId, snippets, copy, copyRequest, copyResponse };
}
