import { testGeneratedQueries } from './generated-queries.ts';

testGeneratedQueries('UTC');
