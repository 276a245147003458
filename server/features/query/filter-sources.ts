import {
  isFields,
  isSet,
  listOf,
  plain,
  renamed,
  renamedPlain,
  within,
  type Fields,
} from './filter-fields.ts';
import { breakdownFields, seriesNodeOf, seriesOf, sharedFields, type CountedBy } from './filter-series.ts';
import { DISPLAYS } from './kinds/insight-query.contract.ts';

const INTERVAL = { interval: 'interval' };
/** Stickiness counts these ways, as PostHog translates it; any other means persons. */
const ACTORS: CountedBy = {
  maths: new Set(['dau', 'weekly_active', 'monthly_active', 'unique_group', 'hogql']),
  other: 'dau',
};
const FIRST_TIMES: CountedBy = {
  maths: new Set(['first_time_for_user', 'first_time_for_user_with_filters']),
  other: null,
};

export function trendsSource(filters: Fields): Fields {
  return {
    kind: 'TrendsQuery',
    ...seriesFields(filters, 'all'),
    ...within('trendsFilter', {
      ...displayFields(filters),
      ...renamed(filters, {
        formula: 'formula',
        aggregation_axis_format: 'aggregationAxisFormat',
        aggregation_axis_prefix: 'aggregationAxisPrefix',
        aggregation_axis_postfix: 'aggregationAxisPostfix',
      }),
      ...renamedPlain(filters, {
        smoothing_intervals: 'smoothingIntervals',
        show_legend: 'showLegend',
        show_values_on_series: 'showValuesOnSeries',
      }),
    }),
    ...breakdownFields(filters),
    ...compareFields(filters),
  };
}

export function funnelsSource(filters: Fields): Fields {
  const exclusions = listOf(filters['exclusions']).filter(isFields).map(exclusionOf);
  return {
    kind: 'FunnelsQuery',
    ...seriesFields(filters, FIRST_TIMES),
    ...within('funnelsFilter', {
      ...renamed(filters, {
        funnel_viz_type: 'funnelVizType',
        funnel_order_type: 'funnelOrderType',
        funnel_window_interval_unit: 'funnelWindowIntervalUnit',
        funnel_step_reference: 'funnelStepReference',
        breakdown_attribution_type: 'breakdownAttributionType',
        layout: 'layout',
        funnel_aggregate_by_hogql: 'funnelAggregateByHogQL',
      }),
      ...renamedPlain(filters, {
        // The older name, whose unit is always days; the newer one wins.
        funnel_window_days: 'funnelWindowInterval',
        funnel_window_interval: 'funnelWindowInterval',
        breakdown_attribution_value: 'breakdownAttributionValue',
        funnel_from_step: 'funnelFromStep',
        funnel_to_step: 'funnelToStep',
        bin_count: 'binCount',
      }),
      ...(exclusions.length === 0 ? {} : { exclusions }),
    }),
    ...breakdownFields(filters),
  };
}

function exclusionOf(exclusion: Fields): Fields {
  const steps = { funnel_from_step: 'funnelFromStep', funnel_to_step: 'funnelToStep' };
  return {
    ...seriesNodeOf(exclusion, exclusion['type'] === 'actions', null),
    ...renamedPlain(exclusion, steps),
  };
}

export function retentionSource(filters: Fields): Fields {
  return {
    kind: 'RetentionQuery',
    ...sharedFields(filters),
    retentionFilter: {
      ...entityOf('targetEntity', filters['target_entity']),
      ...entityOf('returningEntity', filters['returning_entity']),
      ...renamed(filters, {
        period: 'period',
        retention_type: 'retentionType',
        retention_reference: 'retentionReference',
        time_window_mode: 'timeWindowMode',
      }),
      ...renamedPlain(filters, {
        total_intervals: 'totalIntervals',
        cumulative: 'cumulative',
        minimum_occurrences: 'minimumOccurrences',
      }),
    },
    ...breakdownFields(filters),
  };
}

/** The event or action of a retention; other fields of it say how its picker showed it. */
function entityOf(name: string, entity: unknown): Fields {
  if (!isFields(entity)) return isSet(entity) ? { [name]: entity } : {};
  const { id, type, kind, properties } = entity;
  const own = Object.entries({ id, type, kind, properties }).filter(([, value]) => value !== undefined);
  return { [name]: { ...Object.fromEntries(own), ...renamed(entity, { name: 'name' }) } };
}

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

export function stickinessSource(filters: Fields): Fields {
  return {
    kind: 'StickinessQuery',
    ...seriesFields(filters, ACTORS),
    ...within('stickinessFilter', {
      ...displayFields(filters),
      ...renamedPlain(filters, { show_legend: 'showLegend', show_values_on_series: 'showValuesOnSeries' }),
    }),
    ...compareFields(filters),
  };
}

export function lifecycleSource(filters: Fields): Fields {
  const toggled = listOf(filters['toggledLifecycles']);
  return {
    kind: 'LifecycleQuery',
    // It has one; filters carry the series of other kinds along.
    ...seriesFields(filters, null, 1),
    ...within('lifecycleFilter', {
      ...(toggled.length === 0 ? {} : { toggledLifecycles: toggled }),
      ...renamedPlain(filters, { show_values_on_series: 'showValuesOnSeries' }),
    }),
  };
}

function seriesFields(filters: Fields, counted: CountedBy, most?: number): Fields {
  return {
    series: seriesOf(filters, counted).slice(0, most),
    ...renamed(filters, INTERVAL),
    ...sharedFields(filters),
  };
}

/** Old filters carry the display of other kinds along, such as that of a funnel. */
function displayFields({ display }: Fields): Fields {
  return DISPLAYS.includes(display as never) ? { display } : {};
}

function compareFields(filters: Fields): Fields {
  const isComparing = plain(filters['compare']) === true || isSet(filters['compare_to']);
  return isComparing
    ? within('compareFilter', { compare: true, ...renamed(filters, { compare_to: 'compare_to' }) })
    : {};
}
