import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (maxCharacters: number) => z.string().min(1).max(maxCharacters);

/** What every job ends with. */
const HONEST =
  'Give the numbers that the tools returned, with their time range, and say what you could not find out. Do not guess names of events or properties: list them first.';

/** Common jobs, which clients offer as commands. */
export function registerPrompts(server: McpServer): void {
  const add = <S extends z.ZodObject>(
    name: string,
    title: string,
    description: string,
    argsSchema: S,
    write: (args: z.output<S>) => string,
  ): void => {
    server.registerPrompt(name, { title, description, argsSchema }, ((args: z.output<S>) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `${write(args)}\n\n${HONEST}` } }],
    })) as never);
  };
  add(
    'explore-project',
    'Explore the project',
    'What is tracked here, and what can be answered with it.',
    z.object({}),
    () =>
      'Explore this analytics project. List its events (event-definitions-list), describe the five that matter most (event-definition-get), and count events and persons of the last 30 days by event with execute-sql. Then tell me what the product seems to do, how it is used, and which ten questions this data can answer.',
  );
  add(
    'weekly-report',
    'Weekly report',
    'The last seven days compared with the seven before.',
    z.object({ focus: text(400).optional().describe('An event or area to concentrate on') }),
    ({ focus }) =>
      `Write a report of the last seven days compared with the seven days before${focus === undefined ? '' : `, concentrated on ${focus}`}: active persons, the most frequent events, sign-ups or conversions if there are any, and what changed most. Use query-trends with compare, and annotations-list for what happened. At most one page, the most important first.`,
  );
  add(
    'explain-change',
    'Explain a change',
    'Why a number went up or down.',
    z.object({
      event: text(200),
      period: text(100).optional().describe('Such as "last week" or 2026-11-20'),
    }),
    ({ event, period }) =>
      `Find out why the number of "${event}" changed${period === undefined ? ' recently' : ` (${period})`}. Look at its trend by day, break it down by the properties that it has (event-definition-get), compare the persons behind it with those before, and read annotations-list and feature-flag-get-all for what changed at that time. Give the likely causes with their evidence, and what speaks against each.`,
  );
  add(
    'build-funnel',
    'Build a funnel',
    'Where users drop off on the way to a goal.',
    z.object({ goal: text(400) }),
    ({ goal }) =>
      `Build a funnel towards this goal: ${goal}. Find the events of its steps in event-definitions-list, run query-funnel over the last 30 days, then break the weakest step down by properties that could explain it. Say where users are lost and what to try.`,
  );
  add(
    'debug-user',
    'What happened to a user',
    'The events, properties and flags of one person.',
    z.object({ person: text(400).describe('Email, name or distinct ID'), problem: text(2_000).optional() }),
    ({ person, problem }) =>
      `Find the person "${person}" (persons-list, person-get) and their latest events (events-list)${problem === undefined ? '' : `. They reported: ${problem}`}. Tell the story in order of time, point out errors and what is unusual, and use feature-flag-explain for flags that could matter.`,
  );
  add(
    'check-flag',
    'Check a feature flag',
    'What a flag does, and whether it is safe to change.',
    z.object({ key: text(400), distinct_id: text(400).optional() }),
    ({ key, distinct_id: user }) =>
      `Check the feature flag "${key}": what its condition sets mean in plain words, who gets it, and how often it was called in the last seven days by value ($feature_flag_called has $feature_flag and $feature_flag_response).${user === undefined ? '' : ` Explain its value for ${user} with feature-flag-explain.`} Say what is surprising and whether it can be removed.`,
  );
}
