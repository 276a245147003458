import { toast } from 'vue-sonner';
import { copyText } from '../ui/use-copy.ts';

/** The longest text that is shown where the browser does not copy it. */
const MAX_SHOWN = 200;

/** Copies a text and says so; where the browser refuses, the message shows the text. */
export async function copyWithToast(text: string, message = 'Copied'): Promise<void> {
  if (await copyText(text)) toast(message);
  else toast('The browser blocked copying', { description: text.slice(0, MAX_SHOWN) });
}
