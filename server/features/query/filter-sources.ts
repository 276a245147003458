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
import { breakdownFields, seriesNodeOf, seriesOf, sharedFields } from './filter-series.ts';
import { DISPLAYS } from './kinds/insight-query.contract.ts';

const INTERVAL = { interval: 'interval' };

export function trendsSource(filters: Fields): Fields {
  return {
    kind: 'TrendsQuery',
    ...seriesFields(filters),
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
    ...seriesFields(filters),
    ...within('funnelsFilter', {
      ...renamed(filters, {
        funnel_viz_type: 'funnelVizType',
        funnel_order_type: 'funnelOrderType',
        funnel_window_interval_unit: 'funnelWindowIntervalUnit',
        funnel_step_reference: 'funnelStepReference',
        breakdown_attribution_type: 'breakdownAttributionType',
        layout: 'layout',
      }),
      ...renamedPlain(filters, {
        // The older name, whose unit is always days; the newer one wins.
        funnel_window_days: 'funnelWindowInterval',
        funnel_window_interval: 'funnelWindowInterval',
        breakdown_attribution_value: 'breakdownAttributionValue',
        funnel_from_step: 'funnelFromStep',
        funnel_to_step: 'funnelToStep',
      }),
      ...(exclusions.length === 0 ? {} : { exclusions }),
    }),
    ...breakdownFields(filters),
  };
}

function exclusionOf(exclusion: Fields): Fields {
  const steps = { funnel_from_step: 'funnelFromStep', funnel_to_step: 'funnelToStep' };
  return {
    ...seriesNodeOf(exclusion, exclusion['type'] === 'actions'),
    ...renamedPlain(exclusion, steps),
  };
}

export function retentionSource(filters: Fields): Fields {
  const entities = { target_entity: 'targetEntity', returning_entity: 'returningEntity' };
  return {
    kind: 'RetentionQuery',
    ...sharedFields(filters),
    retentionFilter: {
      ...renamed(filters, {
        ...entities,
        period: 'period',
        retention_type: 'retentionType',
        retention_reference: 'retentionReference',
      }),
      ...renamedPlain(filters, { total_intervals: 'totalIntervals', cumulative: 'cumulative' }),
    },
    ...breakdownFields(filters),
  };
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
      }),
      ...renamedPlain(filters, {
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
    ...seriesFields(filters),
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
    ...seriesFields(filters, 1),
    ...within('lifecycleFilter', {
      ...(toggled.length === 0 ? {} : { toggledLifecycles: toggled }),
      ...renamedPlain(filters, { show_values_on_series: 'showValuesOnSeries' }),
    }),
  };
}

function seriesFields(filters: Fields, most?: number): Fields {
  return {
    series: seriesOf(filters).slice(0, most),
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
