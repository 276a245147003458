import ts from 'typescript';
import { parse as parseVue } from 'vue/compiler-sfc';
import type { Module } from '../module.ts';
import type { Project } from '../project.ts';
import { isTest, topFolder, type Rule, type Violation } from '../rule.ts';

/** Phrases that users of PostHog do not know, each with the usual words in its place, and a text that had it. */
const REJECTED: readonly (readonly [phrase: RegExp, better: string, example: string])[] = [
  [/\bask again\b/i, 'Retry', 'Ask again'],
  [/\banew\b/i, 'Refresh, Retry, or again', 'Compute it anew'],
  [/\bmake (it|the first|the key)\b/i, 'Create, New flag, Create key', 'Make the first'],
  [/\b(ask|write) the first\b/i, 'New insight, New annotation', 'Ask the first'],
  [/\bnothing of this (kind|name)\b/i, 'No matching events, No matches', 'Nothing of this kind happened'],
  [
    /\bcould not be computed\b|\bcannot be computed\b/i,
    'Query failed, or cannot be evaluated',
    'It could not be computed',
  ],
  [/\bcomputed (just now|anew)\b|^Comput(ed|ing)\b/, 'Updated, Refreshing', 'Computed an hour ago'],
  [/\bagainst nothing\b/i, 'No comparison', 'against nothing'],
  [/\bthe step before\b/i, 'previous step', 'Share of the step before'],
  [/\b(went|came) all the way\b|\bc[oa]me to it\b/i, 'converted', '446 come to it'],
  [/\bdid not come to\b/i, 'dropped off before', 'Did not come to task created'],
  [/\bmay be left out\b/i, 'Optional step', 'may be left out'],
  [
    /\b[Nn]ot in between\b|\bnothing between\b/,
    'Exclude events between steps, Strict order',
    'Not in between',
  ],
  [/\beach for itself\b/i, 'No bins', 'each for itself'],
  [/\bbroken down by\b/i, 'Breakdown by', 'Broken down by'],
  [/\bonly where\b/i, 'Filters', 'Only where'],
  [/\btold on\b|\btold anywhere\b/i, 'Scope', 'Told on: every chart'],
  [/\bkept up to date\b|\bfixed lists?\b/i, 'Dynamic, Static', 'kept up to date'],
  [/\bkeep for everyone\b/i, 'Save as default', 'Keep for everyone'],
  [/\bdates as each tile says\b/i, 'No date override', 'Dates as each tile says'],
  [/\bwall display\b/i, 'TV mode', 'Wall display'],
  [/\bforced? (values?|on this machine)\b/i, 'Local overrides', 'Forced on this machine'],
  [/\bbr(ing|ought) (it )?back\b/i, 'Restore', 'Bring it back'],
  [/\bbehind this point\b|\bwho is behind\b/i, 'Showing 100 persons', '4 persons behind this point'],
  [
    /\b(some|every|any|no)body\b|\bwhoever\b/i,
    'someone, everyone, anyone, no one, or persons',
    'Like everybody',
  ],
  [/\bby (itself|themselves)\b/i, 'automatically', 'It starts by itself'],
  [/\bwithout a name\b/i, 'Untitled', 'An insight without a name'],
  [/\bthere is no such\b/i, 'Flag not found, or This flag does not exist', 'There is no such flag'],
  [/\b(nothing|nobody|none) passes\b/i, 'No matching flags', 'None passes'],
  [/\bstands? here\b/i, 'appears here', 'What comes stands here'],
  [/\bthat is all\b/i, 'nothing', 'That is all'],
  [/\bcolours?\b|\bfavourites?\b|\bbehaviours?\b|\bcancelled\b/i, 'American English', 'Light colours'],
  // With a quote it is a value of utm_medium.
  [/\be-mails?\b(?!')/i, 'email', 'Their e-mail'],
  [/\w distinct ids?\b/, 'distinct ID', 'Name or distinct id'],
];

/** Answers that SDKs send on: /flags gives it as the reason of a local override, and events keep it. */
const ON_THE_WIRE = new Set(['this distinct id']);

interface Text {
  readonly line: number;
  readonly text: string;
}

/** A value, a key or a class is one word in lower case. */
function isProse(text: string): boolean {
  return /\s|^[A-Z]/.test(text) && !ON_THE_WIRE.has(text);
}

/** Texts of a script: its strings and the fixed parts of its templates, without names of modules. */
function scriptTexts({ nodes, imports }: Module): Text[] {
  const specifiers = new Set(imports.map(({ specifier }) => specifier));
  return nodes.flatMap(({ node, line }) => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node);
    return isText && !specifiers.has(node.text) && isProse(node.text) ? [{ line, text: node.text }] : [];
  });
}

/** What the template of a component says: texts, plain attributes, and strings in its expressions. */
function templateTexts(path: string, source: string): Text[] {
  if (!path.endsWith('.vue')) return [];
  const root = parseVue(source, { filename: path, sourceMap: false }).descriptor.template?.ast;
  const texts: Text[] = [];
  const add = (line: number, text: string) => texts.push({ line, text: text.replaceAll(/\s+/g, ' ').trim() });
  const addStrings = (line: number, code: string) => {
    for (const [, one, other] of code.matchAll(/'((?:[^'\\]|\\.)*)'|`([^`]*)`/g)) {
      const text = one ?? other ?? '';
      if (isProse(text)) add(line, text);
    }
  };
  type Nodes = NonNullable<typeof root>['children'];
  const visit = (nodes: Nodes): void => {
    for (const node of nodes) {
      const { line } = node.loc.start;
      if (node.type === 2) add(line, node.content);
      if (node.type === 5) addStrings(line, node.loc.source);
      if (node.type !== 1) continue;
      for (const prop of node.props) {
        if (prop.name === 'class') continue;
        if (prop.type === 6) add(prop.loc.start.line, prop.value?.content ?? '');
        else addStrings(prop.loc.start.line, prop.exp?.loc.source ?? '');
      }
      visit(node.children);
    }
  };
  visit(root?.children ?? []);
  return texts;
}

/** What lies below these folders is read by users: in the console, the desktop app, errors, help and logs. */
const READ_BY_USERS = new Set(['renderer', 'electron', 'server']);

function checkTexts({ modules, files }: Project): Violation[] {
  return modules
    .filter(({ path }) => READ_BY_USERS.has(topFolder(path)) && !isTest(path))
    .flatMap((module) =>
      [...scriptTexts(module), ...templateTexts(module.path, files.get(module.path) ?? '')].flatMap(
        ({ line, text }) =>
          REJECTED.flatMap(([phrase, better]) => {
            const [found] = phrase.exec(text) ?? [];
            return found === undefined
              ? []
              : [{ path: module.path, line, message: `Users do not know “${found}”. Write: ${better}.` }];
          }),
      ),
    );
}

const texts: Rule = {
  sentence: 'texts for users are in the language of PostHog, in American English',
  check: checkTexts,
  broken: [
    {
      files: { 'renderer/ui/AButton.vue': '<template>\n  <button>Ask again</button>\n</template>' },
      at: 'renderer/ui/AButton.vue:2',
    },
    {
      files: {
        'renderer/ui/AField.vue': '<template>\n  <input\n    aria-label="Who is\n behind it" />\n</template>',
      },
      at: 'renderer/ui/AField.vue:3',
    },
    {
      files: {
        'renderer/ui/ALine.vue': `<template>\n  <p>{{ isNew ? 'Make it' : 'Save' }}</p>\n</template>`,
      },
      at: 'renderer/ui/ALine.vue:2',
    },
    {
      files: { 'renderer/screens/flags/a.ts': 'export const a = (n: string) => `${n}: the step before`;' },
      at: 'renderer/screens/flags/a.ts:1',
    },
    { files: { 'server/errors.ts': `export const a = 'Somebody did it.';` }, at: 'server/errors.ts:1' },
    ...REJECTED.map(([, , example]) => ({
      files: { 'electron/a.ts': `export const a = '${example}: now';` },
      at: 'electron/a.ts:1',
    })),
  ],
  kept: [
    {
      'renderer/ui/AButton.vue':
        '<script setup lang="ts">\n// Somebody asks again.\nconst anew = 1;\n</script>\n<template>\n  <!-- Make it -->\n  <button @click="anew">Retry</button>\n</template>',
    },
    { 'test/e2e/a.test.ts': `test('somebody asks again', () => {});` },
    { 'server/a.ts': `const a = 'this distinct id';\nconst b = "word IN ('e-mail', 'news')";` },
  ],
};

export const textRules: readonly Rule[] = [texts];
