import { testGeneratedQueries } from './generated-queries.ts';

testGeneratedQueries('America/New_York');
