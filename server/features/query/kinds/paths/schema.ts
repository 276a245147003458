import { z } from 'zod';
import { laxBoolean, laxInteger } from '../../../../http/lax-fields.contract.ts';
import {
  describe,
  aggregationShape,
  INSIGHT_NOT_SUPPORTED,
  INSIGHT_WITHOUT_EFFECT,
  insightShape,
  count,
  positive,
  sourceQuery,
  texts,
  withRule,
  patternProblem,
} from '../../node-schema.ts';
import { sharedFields, renamed, renamedPlain, within, type Fields } from '../../legacy-filters.ts';

const pathRegex = withRule(
  z.string({ error: 'A path cleaning rule requires a regex and an alias' }),
  patternProblem,
);
/** A rule that cleans the names of pages: what the regular expression finds becomes the alias. */
export const pathRule = describe(
  z.looseObject({
    regex: pathRegex,
    alias: z.string({ error: 'A path cleaning rule requires a regex and an alias' }).nullish(),
    order: laxInteger(z.int()).nullish(),
  }),
  { name: 'path cleaning rule' },
);

const MAX_GROUPING = 1_000;
/** A pattern of names: `*` is any text. */
const grouping = z
  .string()
  .max(MAX_GROUPING, { error: `A path grouping can have up to ${MAX_GROUPING} characters` });

export const pathsQuery = describe(
  z.looseObject({
    kind: z.literal('PathsQuery'),
    ...insightShape,
    ...aggregationShape,
    pathsFilter: describe(
      z.looseObject({
        includeEventTypes: texts.nullish(),
        startPoint: z.string().nullish(),
        endPoint: z.string().nullish(),
        excludeEvents: texts.nullish(),
        stepLimit: positive,
        edgeLimit: positive,
        minEdgeWeight: count,
        maxEdgeWeight: count,
        pathGroupings: z.array(grouping).nullish(),
        localPathCleaningFilters: z.array(pathRule).nullish(),
        pathReplacements: z.union([laxBoolean(), z.array(pathRule)]).nullish(),
        pathsHogQLExpression: z.string().nullish(),
        pathStartKey: z.string().nullish(),
        pathEndKey: z.string().nullish(),
        pathDropoffKey: z.string().nullish(),
      }),
      { name: 'pathsFilter', withoutEffect: ['showFullUrls'] },
    ).nullish(),
    /** Paths of those who took a step of a funnel, or did not after the step before it: around the moment of that step. */
    funnelPathsFilter: describe(
      z.looseObject({
        funnelPathType: z.enum([
          'funnel_path_before_step',
          'funnel_path_between_steps',
          'funnel_path_after_step',
        ]),
        funnelSource: sourceQuery,
        funnelStep: laxInteger(z.int()).nullish(),
      }),
      { name: 'funnelPathsFilter' },
    ).nullish(),
  }),
  {
    name: 'PathsQuery',
    withoutEffect: INSIGHT_WITHOUT_EFFECT,
    notSupported: INSIGHT_NOT_SUPPORTED,
  },
);
export type PathsQuery = z.output<typeof pathsQuery>;

export function pathsSource(filters: Fields): Fields {
  return {
    kind: 'PathsQuery',
    ...sharedFields(filters),
    ...within('pathsFilter', {
      ...renamed(filters, {
        include_event_types: 'includeEventTypes',
        start_point: 'startPoint',
        end_point: 'endPoint',
        exclude_events: 'excludeEvents',
        path_groupings: 'pathGroupings',
        local_path_cleaning_filters: 'localPathCleaningFilters',
        paths_hogql_expression: 'pathsHogQLExpression',
        path_start_key: 'pathStartKey',
        path_end_key: 'pathEndKey',
        path_dropoff_key: 'pathDropoffKey',
      }),
      ...renamedPlain(filters, {
        path_replacements: 'pathReplacements',
        step_limit: 'stepLimit',
        edge_limit: 'edgeLimit',
        min_edge_weight: 'minEdgeWeight',
        max_edge_weight: 'maxEdgeWeight',
      }),
    }),
  };
}

/** Picks steps by their keys, such as `1_/a`; the last one is where paths end. */
export const pathsPoint = {
  pathStartKey: z.string().nullish(),
  pathEndKey: z.string().nullish(),
  pathDropoffKey: z.string().nullish(),
};
