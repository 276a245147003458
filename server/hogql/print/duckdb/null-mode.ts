/**
 * How NULL is taken. As a value, a comparison is true or false, as HogQL has it: NULL equals NULL and nothing else.
 * In a condition, NULL may replace false, which lets DuckDB skip what it needs not read. In ON, NULL equals nothing.
 */
export type NullMode = 'value' | 'condition' | 'on';
