import { ipcMain, nativeTheme, shell } from 'electron';
import { channels, type Argument, type ChannelName, type Result } from '../channels.ts';
import type { ConsoleAddress } from '../console-address.ts';
import type { ServerProcess } from '../server-process.ts';
import type { ShellMemory } from './shell-state.ts';

type Handlers = { [Name in ChannelName]: (argument: Argument<Name>) => Promise<Result<Name>> | Result<Name> };

export interface BridgeOptions {
  address: ConsoleAddress;
  memory: ShellMemory;
  server: ServerProcess;
}

/** Answers every channel of the table, to pages of the console only and with arguments that fit the schema. */
export function setupBridge({ address, memory, server }: BridgeOptions): void {
  nativeTheme.themeSource = memory.get().theme;
  const handlers: Handlers = {
    setTheme: (theme) => {
      nativeTheme.themeSource = theme;
      memory.set({ theme });
    },
    openDataFolder: async () => {
      const { state } = server;
      const folder = state.phase === 'running' ? state.dataDir : null;
      if (folder === null) throw new Error('There is no data folder.');
      const problem = await shell.openPath(folder);
      if (problem !== '') throw new Error(problem);
    },
  };
  for (const name of Object.keys(channels) as ChannelName[]) {
    ipcMain.handle(name, (event, argument: unknown) => {
      const origin = event.senderFrame && new URL(event.senderFrame.url).origin;
      if (origin === null || origin !== address.origin()) throw new Error('Only the console may ask this.');
      const handle = handlers[name] as (argument: unknown) => unknown;
      return handle(channels[name].argument.parse(argument));
    });
  }
}
