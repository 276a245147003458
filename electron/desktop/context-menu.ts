import {
  app,
  BrowserWindow,
  clipboard,
  Menu,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
} from 'electron';
import type { ConsoleAddress } from '../console-address.ts';

/** The menu of a right click: what can be done with a field, a selection or a link. */
export function setupContextMenu(address: ConsoleAddress, openConsole: (url: string) => void): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('context-menu', (_menu, params) => {
      const items = [
        ...linkItems(params, address.origin(), openConsole),
        ...textItems(params),
        ...(app.isPackaged
          ? []
          : [{ label: 'Inspect Element', click: () => contents.inspectElement(params.x, params.y) }]),
      ];
      const window = BrowserWindow.fromWebContents(contents);
      if (items.length > 0 && window !== null) Menu.buildFromTemplate(items).popup({ window });
    });
  });
}

function linkItems(
  { linkURL: url }: ContextMenuParams,
  origin: string | null,
  openConsole: (url: string) => void,
): MenuItemConstructorOptions[] {
  if (!url.startsWith('http')) return [];
  const isConsole = new URL(url).origin === origin;
  return [
    ...(isConsole ? [{ label: 'Open Link in New Window', click: () => openConsole(url) }] : []),
    { label: 'Copy Link', click: () => void clipboard.writeText(url) },
  ];
}

function textItems({
  isEditable,
  selectionText,
  editFlags,
}: ContextMenuParams): MenuItemConstructorOptions[] {
  if (isEditable)
    return [
      { role: 'undo', enabled: editFlags.canUndo },
      { role: 'redo', enabled: editFlags.canRedo },
      { type: 'separator' },
      { role: 'cut', enabled: editFlags.canCut },
      { role: 'copy', enabled: editFlags.canCopy },
      { role: 'paste', enabled: editFlags.canPaste },
      { type: 'separator' },
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ];
  return selectionText.trim() === '' ? [] : [{ role: 'copy' }];
}
