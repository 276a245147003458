import { describe, expect, test } from 'vitest';
import { isPermitted, judgeDestination } from './navigation.ts';

const CONSOLE = 'http://127.0.0.1:2877';

describe('navigation rules for pages', () => {
  test.each([
    ['http://127.0.0.1:2877/live?filters=[]', 'console'],
    ['http://127.0.0.1:2877', 'console'],
    ['https://posthog.com/docs', 'browser'],
    ['https://posthog.com/docs/libraries/js#install', 'browser'],
    ['https://github.com/PostHog/posthog-js', 'browser'],
    ['burrow:retry', 'action'],
    ['http://127.0.0.1:2878/', 'refuse'],
    ['http://localhost:2877/', 'refuse'],
    ['https://127.0.0.1:2877/', 'refuse'],
    ['http://127.0.0.1:2877@evil.test/', 'refuse'],
    ['http://evil.test/', 'refuse'],
    ['http://posthog.com/docs/', 'refuse'],
    ['https://posthog.com/', 'refuse'],
    ['https://posthog.com/docsearch', 'refuse'],
    ['https://posthog.com.evil.test/docs/', 'refuse'],
    ['https://user@posthog.com/docs/', 'refuse'],
    ['https://posthog.com/docs/../login', 'refuse'],
    ['https://github.com/PostHogger/x', 'refuse'],
    ['file:///etc/passwd', 'refuse'],
    ['javascript:alert(1)', 'refuse'],
    ['data:text/html,hello', 'refuse'],
    ['blob:http://127.0.0.1:2877/4a6c', 'refuse'],
    ['', 'refuse'],
    ['not an address', 'refuse'],
  ])('%s: %s', (target, destination) => {
    expect(judgeDestination(target, CONSOLE)).toBe(destination);
  });

  test('while no server runs, no origin counts as the console', () => {
    expect(judgeDestination('http://127.0.0.1:2877/', null)).toBe('refuse');
    expect(judgeDestination('null', null)).toBe('refuse');
  });
});

describe('browser permissions of a page', () => {
  test.each(['clipboard-sanitized-write', 'fullscreen'])('the console gets %s', (permission) => {
    expect(isPermitted(permission, CONSOLE, CONSOLE)).toBe(true);
  });

  test.each([
    'clipboard-read',
    'notifications',
    'media',
    'geolocation',
    'openExternal',
    'pointerLock',
    'hid',
  ])('no page gets %s', (permission) => {
    expect(isPermitted(permission, CONSOLE, CONSOLE)).toBe(false);
  });

  test('no other origin may write to the clipboard, with or without a server', () => {
    expect(isPermitted('clipboard-sanitized-write', 'http://127.0.0.1:5173', CONSOLE)).toBe(false);
    expect(isPermitted('fullscreen', 'http://127.0.0.1:5173', CONSOLE)).toBe(false);
    expect(isPermitted('clipboard-sanitized-write', '', null)).toBe(false);
  });
});
