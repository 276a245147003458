import { z } from 'zod';
import { laxBoolean } from '../../../http/lax-fields.contract.ts';
import { breakdownFilter, dateFrom, dateTo } from './insight-query.contract.ts';
import { propertyNodes } from './property-nodes.contract.ts';
import { describe } from './query-object.contract.ts';

/** What a dashboard, or one of its tiles, lays over the queries that it shows (management contract 3.4). */
export const dashboardFilters = describe(
  z.looseObject({
    date_from: dateFrom.nullish(),
    date_to: dateTo.nullish(),
    explicitDate: laxBoolean().nullish(),
    properties: propertyNodes.nullish(),
    breakdown_filter: breakdownFilter.nullish(),
  }),
  { name: 'filters', notSupported: ['interval', 'filterTestAccounts', 'filter_test_accounts'] },
);
