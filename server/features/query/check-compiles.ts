import { ApiError, fail } from '../../errors.ts';
import type { Located } from '../../hogql/ast.ts';
import { describeHogqlError, HogqlError } from '../../hogql/errors.ts';
import { isFields } from './legacy-filters.ts';
import { MAX_ROWS, type ProjectContext } from './project-context.ts';
import type { KindContext } from './query-kind.ts';
import { FormulaError } from './kinds/trends/formula.ts';
import { findKind } from './query-kinds.ts';
import { answerSource, readActors } from './read-actors.ts';
import { sourceOf, type StoredQuery, readKind } from './read-query.ts';
import { partsOf, schemaOfKind } from './unsupported-fields.ts';

/** Offsets of the text number n begin at n times this, so that an error says in which text it is. */
const TEXT_SPAN = 2 ** 32;
/** Dashboards give dates to SQL that has none. */
const ANY_DATES = { date_from: '-7d', date_to: '-1d' };

/**
 * Compiles every statement of a query and runs none: what names nothing in this project, or cannot be parsed, is refused
 * before it is stored. Throws invalid_input whose detail has the field and, in HogQL, line and column.
 */
export async function checkCompiles(query: StoredQuery, project: ProjectContext): Promise<void> {
  const texts: string[] = [];
  const missingCohorts: number[] = [];
  const source = withDates(sourceOf(query));
  const kind = findKind(source.kind);
  try {
    const context = checkingContext(project, texts, missingCohorts);
    await kind.answer(await kind.plan(readKind(kind, source), context), context);
  } catch (error) {
    throw refusal(error, query, { texts, missingCohorts });
  }
}

function checkingContext(
  { known, compile }: ProjectContext,
  texts: string[],
  missingCohorts: number[],
): KindContext {
  /** Gives a tree of a text the offsets that belong to this text alone. */
  const read = async <T>(text: string, parse: (text: string) => Promise<T>): Promise<T> => {
    const offset = (texts.push(text) - 1) * TEXT_SPAN;
    try {
      return moved(await parse(text), offset);
    } catch (error) {
      if (!(error instanceof HogqlError) || error.start === null) throw error;
      throw new HogqlError(error.message, moved({ start: error.start }, offset));
    }
  };
  const { parse } = known;
  const context: KindContext = {
    ...known,
    // A fault of the settings is no fault of the query.
    testAccountFilters: [],
    variables: async () =>
      (await known.variables()).map((one) => ({ ...one, defaultValue: one.defaultValue ?? null })),
    cohort(id) {
      const found = known.cohort(id);
      if (found === null) missingCohorts.push(id);
      return found;
    },
    parse: {
      expression: (text) => read(text, parse.located),
      located: (text) => read(text, parse.located),
      order: (text) => read(text, parse.order),
      select: (text) => read(text, parse.select),
    },
    async runQuery(tree, { rows = MAX_ROWS } = {}) {
      const { columns, limit, offset } = await compile(tree, rows);
      return { columns, rows: [], hasMore: false, limit, offset };
    },
    check: async (tree) => void (await compile(tree, MAX_ROWS)),
    explain: () => Promise.resolve([]),
    actorsOf: (from) => readActors(from, context),
    answerOf: (from) => answerSource(from, context),
  };
  return context;
}

function withDates(source: StoredQuery): StoredQuery {
  if (source.kind !== 'HogQLQuery') return source;
  const filters = isFields(source['filters']) ? source['filters'] : {};
  return { ...source, filters: { ...filters, dateRange: filters['dateRange'] ?? ANY_DATES } };
}

/** A copy of a tree with all its offsets moved. */
function moved<T>(tree: T, by: number): T {
  if (Array.isArray(tree)) return tree.map((one: unknown) => moved(one, by)) as T;
  if (typeof tree !== 'object' || tree === null) return tree;
  const copy = Object.fromEntries(Object.entries(tree).map(([key, one]) => [key, moved(one as unknown, by)]));
  const { start, end } = tree as Located;
  return {
    ...copy,
    ...(typeof start === 'number' && { start: start + by }),
    ...(typeof end === 'number' && { end: end + by }),
  } as T;
}

function refusal(
  error: unknown,
  query: StoredQuery,
  { texts, missingCohorts }: { texts: readonly string[]; missingCohorts: readonly number[] },
): unknown {
  if (error instanceof FormulaError) {
    return named(
      fieldOf(query, (value) => value === error.text),
      describeHogqlError(error, error.text),
    );
  }
  if (error instanceof HogqlError) {
    const text = error.start === null ? texts[0] : texts[Math.floor(error.start / TEXT_SPAN)];
    const start = error.start === null ? {} : { start: error.start % TEXT_SPAN };
    const detail = describeHogqlError(new HogqlError(error.message, start), text ?? '');
    return named(
      fieldOf(query, (value) => value === text),
      detail,
    );
  }
  if (!(error instanceof ApiError) || error.errorName !== 'invalid_input') return error;
  const isMissing = (value: unknown): boolean => missingCohorts.includes(Number(value));
  return named(missingCohorts.length === 0 ? null : fieldOf(query, isMissing), error.message);
}

function named(field: string | null, detail: string): ApiError {
  return fail('invalid_input', { attr: 'query', detail: field === null ? detail : `"${field}": ${detail}` });
}

/** The place of the first text or number of a query for which this holds. */
function fieldOf(query: StoredQuery, isMeant: (value: unknown) => boolean): string | null {
  const schema = schemaOfKind(query);
  const parts = schema === undefined ? [] : partsOf(schema, query);
  const found = parts.find(({ value }) => typeof value !== 'object' && isMeant(value));
  return found?.path.join('.') ?? null;
}
