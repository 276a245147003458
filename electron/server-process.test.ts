import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createServerProcess,
  type ServerChild,
  type ServerProcess,
  type ServerState,
} from './server-process.ts';
import type { ShellMessage } from './server-messages.ts';

/** A fake of Electron's utility process: the test plays the server. */
function createChild(ports: { free: number; kept: number | null }) {
  const sent: ShellMessage[] = [];
  let statusRequests = 0;
  let onMessage: (message: unknown) => void = () => {};
  let onExit: (code: number) => void = () => {};
  let onOutput: (chunk: Buffer) => void = () => {};
  const child: ServerChild = {
    stderr: { on: (_event, listener) => (onOutput = listener) },
    on: (_event, listener) => (onMessage = listener),
    once: (_event, listener) => (onExit = listener),
    postMessage: (message) => {
      if (message.type === 'status') statusRequests += 1;
      else sent.push(message);
    },
  };
  return {
    ports,
    sent,
    statusRequests: () => statusRequests,
    child,
    say: (message: unknown) => onMessage(message),
    exit: (code: number) => onExit(code),
    log: (text: string) => onOutput(Buffer.from(text)),
  };
}

const READY = { type: 'ready', url: 'http://127.0.0.1:2878', port: 2878, version: '0.1.0' };

describe('the server as a process of the shell', () => {
  let children: ReturnType<typeof createChild>[];
  let states: ServerState['phase'][];
  let server: ServerProcess;
  const newest = () => children.at(-1)!;

  beforeEach(() => {
    vi.useFakeTimers();
    children = [];
    states = [];
    server = createServerProcess({
      fork: (ports) => {
        children.push(createChild(ports));
        return newest().child;
      },
      choosePort: async () => 2877,
      now: Date.now,
    });
    server.watch(({ phase }) => states.push(phase));
  });
  afterEach(() => vi.useRealTimers());

  async function startAndReady(): Promise<void> {
    await server.start();
    newest().say(READY);
  }

  test('is running, with its URL, after the ready message', async () => {
    await startAndReady();
    expect(newest().ports).toEqual({ free: 2877, kept: null });
    expect(server.state).toEqual({
      phase: 'running',
      url: READY.url,
      port: 2878,
      version: '0.1.0',
      dataDir: null,
      portSource: null,
      isAttached: false,
    });
    expect(states).toEqual(['starting', 'running']);
  });

  test('is started once when start is called several times', async () => {
    await Promise.all([server.start(), server.start()]);
    await server.start();
    expect(children).toHaveLength(1);
  });

  test('restarts after a crash on the same port', async () => {
    await startAndReady();
    newest().exit(9);
    expect(server.state.phase).toBe('starting');
    await vi.advanceTimersByTimeAsync(200);
    expect(newest().ports.kept).toBe(2878);
    newest().say(READY);
    expect(server.state.phase).toBe('running');
  });

  test('reports running again after a second ready message, as after restoring a backup', async () => {
    await startAndReady();
    newest().say(READY);
    expect(states).toEqual(['starting', 'running', 'running']);
    expect(children).toHaveLength(1);
  });

  test('fails with the end of its log after repeated crashes, and can be started again', async () => {
    await startAndReady();
    for (let crash = 0; crash < 4; crash += 1) {
      newest().exit(9);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    newest().log('out of memory');
    newest().exit(9);
    expect(server.state).toMatchObject({ phase: 'failed', detail: 'out of memory' });
    await server.start();
    expect(children).toHaveLength(6);
  });

  test('is not restarted after a failed message', async () => {
    await server.start();
    newest().log('log line');
    newest().say({
      type: 'failed',
      message: 'The folder is in use.\n    at stack',
      exitCode: 3,
      reason: 'folder_in_use',
      dataDir: '/data',
    });
    newest().exit(3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(children).toHaveLength(1);
    expect(server.state).toEqual({
      phase: 'failed',
      reason: 'folder_in_use',
      message: 'The folder is in use.',
      detail: 'log line',
      port: null,
      dataDir: '/data',
    });
  });

  test('returns to each window the URL of its own sign-in request', async () => {
    await startAndReady();
    const [first, second] = [server.signInUrl(), server.signInUrl()];
    expect(newest().sent).toEqual([
      { type: 'sign-in', id: 1 },
      { type: 'sign-in', id: 2 },
    ]);
    newest().say({ type: 'sign-in', id: 2, consoleUrl: `${READY.url}/#two` });
    newest().say({ type: 'sign-in', id: 1, consoleUrl: `${READY.url}/#one` });
    expect(await Promise.all([first, second])).toEqual([`${READY.url}/#one`, `${READY.url}/#two`]);
  });

  test('rejects a sign-in URL while it is not running, and after 10 seconds without a response', async () => {
    await expect(server.signInUrl()).rejects.toThrow('not running');
    await startAndReady();
    const refusal = server.signInUrl().catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await refusal).toContain('did not respond within 10 seconds');
  });

  test('ignores messages that are not in the contract', async () => {
    await server.start();
    for (const message of [null, 'ready', { type: 'ready' }, { ...READY, port: 'x' }, { type: 'other' }]) {
      newest().say(message);
    }
    expect(server.state.phase).toBe('starting');
  });

  test('sends its status at the start and every five seconds, and has none once it has ended', async () => {
    await startAndReady();
    const said = vi.fn<() => void>();
    server.watchStatus(said);
    expect(newest().statusRequests()).toBe(1);
    expect(server.status).toBeNull();
    const status = {
      type: 'status',
      eventsPerMinute: 312,
      pause: null,
      projectId: 1,
      projectApiKey: 'phc_a',
    };
    newest().say(status);
    expect(server.status).toEqual(status);
    expect(said).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10_000);
    expect(newest().statusRequests()).toBe(3);
    newest().exit(1);
    expect(server.status).toBeNull();
  });

  test('pauses and resumes capture, and passes notices on', async () => {
    await startAndReady();
    server.pause(60);
    server.pause(null);
    server.resume();
    expect(newest().sent).toEqual([
      { type: 'pause', minutes: 60 },
      { type: 'pause', minutes: null },
      { type: 'resume' },
    ]);
    const notices: (string | null)[][] = [];
    server.watchNotices(({ title, path }) => notices.push([title, path]));
    newest().say({ type: 'notice', title: 'The disk is full', text: 'Events are refused.' });
    const alert = { type: 'notice', title: 'Alert: Signups', text: 'signup is 0.' };
    newest().say({ ...alert, path: '/project/1/insights/abc' });
    newest().say({ ...alert, path: '//elsewhere.example.com/' });
    expect(notices).toEqual([
      ['The disk is full', null],
      ['Alert: Signups', '/project/1/insights/abc'],
    ]);
  });

  test('is drained before it is stopped, and stays stopped', async () => {
    await startAndReady();
    const stopped = server.stop(15_000);
    expect(newest().sent).toEqual([{ type: 'drain' }]);
    newest().exit(0);
    await stopped;
    await server.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(children).toHaveLength(1);
    expect(server.state.phase).toBe('stopped');
  });

  test('that waits for a restart is not restarted after it was stopped', async () => {
    await startAndReady();
    newest().exit(9);
    await server.stop(15_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(children).toHaveLength(1);
  });

  describe('an unresponsive server process', () => {
    let silence: boolean[];
    let killed: [number, unknown][];

    beforeEach(async () => {
      silence = [];
      killed = [];
      vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
        killed.push([pid, signal]);
        return true;
      });
      server.watchSilence((isSilent) => silence.push(isSilent));
      await startAndReady();
      (newest().child as { pid: number }).pid = 4242;
    });
    afterEach(() => vi.restoreAllMocks());

    /** Seconds in which the server answers every ping. */
    async function answerFor(seconds: number): Promise<void> {
      for (let second = 0; second < seconds; second += 1) {
        await vi.advanceTimersByTimeAsync(1_000);
        newest().say({ type: 'pong' });
      }
    }

    test('is reported within five seconds, and so is its recovery', async () => {
      await answerFor(30);
      expect(silence).toEqual([]);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(silence).toEqual([true]);
      newest().say({ type: 'pong' });
      expect(silence).toEqual([true, false]);
      expect(killed).toEqual([]);
    });

    test('is killed after twenty seconds and restarted, and the new process receives the reason', async () => {
      await vi.advanceTimersByTimeAsync(19_000);
      expect(killed).toEqual([]);
      await vi.advanceTimersByTimeAsync(3_000);
      expect(killed).toEqual([[4242, 'SIGKILL']]);
      newest().exit(137);
      expect(silence).toEqual([true, false]);
      await vi.advanceTimersByTimeAsync(200);
      newest().say(READY);
      expect(newest().sent).toEqual([{ type: 'restarted', reason: 'silent' }]);
    });

    test('is not pinged while it starts or drains', async () => {
      newest().exit(9);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(newest().sent).toEqual([]);
      newest().say(READY);
      expect(newest().sent).toEqual([{ type: 'restarted', reason: 'ended' }]);
      const stopped = server.stop(60_000);
      await vi.advanceTimersByTimeAsync(50_000);
      expect(newest().sent.filter(({ type }) => type === 'ping')).toEqual([]);
      newest().exit(0);
      await stopped;
    });
  });

  test.each([
    ['the same port', true, 2878],
    ['the one that is set now', false, null],
  ])('a restart drains the server, then starts it on %s', async (_which, keepsPort, kept) => {
    await startAndReady();
    const restarted = server.restart({ limitMs: 60_000, keepsPort });
    expect(server.state).toMatchObject({ phase: 'starting', step: 'Restarting the server' });
    expect(newest().sent).toEqual([{ type: 'drain' }]);
    expect(children).toHaveLength(1);
    newest().exit(0);
    await restarted;
    expect(children).toHaveLength(2);
    expect(newest().ports.kept).toBe(kept);
    newest().say(READY);
    expect(newest().sent).toEqual([]);
    expect(server.state.phase).toBe('running');
  });

  test('a quit during a restart starts no further server', async () => {
    await startAndReady();
    const restarted = server.restart({ limitMs: 60_000, keepsPort: true });
    const stopped = server.stop(60_000);
    newest().exit(0);
    await Promise.all([restarted, stopped]);
    expect(children).toHaveLength(1);
    expect(server.state.phase).toBe('stopped');
  });

  test('changes of options are answered with the options and what is wrong', async () => {
    await startAndReady();
    const answer = server.options({ port: '80' });
    expect(newest().sent).toEqual([{ type: 'options', id: 1, changes: { port: '80' } }]);
    const problems = [{ name: 'port', text: 'Port 80 of 127.0.0.1 requires elevated permissions.' }];
    newest().say({ type: 'options', id: 1, options: [], problems });
    expect(await answer).toEqual({ options: [], problems });
  });

  describe('a server of another Burrow', () => {
    let isThere: boolean;
    beforeEach(async () => {
      isThere = true;
      await server.start();
      newest().say({ type: 'failed', message: 'In use.', exitCode: 3, reason: 'folder_in_use' });
      newest().exit(3);
      server.attach({
        url: 'http://127.0.0.1:3000',
        dataDir: '/data',
        signInUrl: async () => 'http://127.0.0.1:3000/#token=once',
        isThere: async () => isThere,
      });
    });

    test('is running, signs windows in, and is not stopped with the app', async () => {
      expect(server.state).toMatchObject({ phase: 'running', port: 3000, isAttached: true });
      expect(await server.signInUrl()).toBe('http://127.0.0.1:3000/#token=once');
      await vi.advanceTimersByTimeAsync(60_000);
      await server.stop(1_000);
      expect(children).toHaveLength(1);
      expect(newest().sent).toEqual([]);
    });

    test('has ended after three looks without an answer, and its folder can be opened', async () => {
      isThere = false;
      await vi.advanceTimersByTimeAsync(4_000);
      expect(server.state.phase).toBe('running');
      await vi.advanceTimersByTimeAsync(2_000);
      expect(server.state).toMatchObject({ phase: 'failed', dataDir: '/data' });
      await server.start();
      newest().say(READY);
      expect(server.state).toMatchObject({ phase: 'running', isAttached: false });
    });
  });

  test('is not started while its folder is missing, so that nothing is created there', async () => {
    let isMissing = true;
    const found = { reason: 'folder_missing' as const, message: 'It is missing.', dataDir: '/media/disk' };
    const careful = createServerProcess({
      fork: (ports) => {
        children.push(createChild(ports));
        return newest().child;
      },
      choosePort: async () => 2877,
      now: Date.now,
      obstacle: () => (isMissing ? found : null),
    });
    await careful.start();
    expect(careful.state).toEqual({ phase: 'failed', detail: '', port: null, ...found });
    expect(children).toEqual([]);
    isMissing = false;
    await careful.start();
    expect(children).toHaveLength(1);
  });

  test('reports its startup step', async () => {
    await server.start();
    newest().say({ type: 'progress', step: 'Replaying 390 MB of the write-ahead log', dataDir: '/data' });
    expect(server.state).toEqual({
      phase: 'starting',
      step: 'Replaying 390 MB of the write-ahead log',
      dataDir: '/data',
    });
  });
});
