import type { AnswerOptions, InsightAnswers, InsightJson } from '../insights/index.ts';
import type { TileJson } from './dashboards.contract.ts';

/** Tiles with what their insights answer, each as soon as it is there, in their order (management contract 3.4, 3.6). */
export async function* answerTiles(
  answers: Pick<InsightAnswers, 'fill'>,
  projectId: number,
  tiles: readonly TileJson[],
  options: AnswerOptions,
): AsyncGenerator<TileJson> {
  const insights = tiles.flatMap(({ insight }) => (insight === null ? [] : [insight as InsightJson]));
  const filled = answers.fill(projectId, insights, options);
  for (const tile of tiles) {
    if (tile.insight === null) yield tile;
    else yield answered(tile, (await filled.next()).value as InsightJson);
  }
}

function answered(tile: TileJson, insight: InsightJson): TileJson {
  const { error, error_message: message } = insight.query_status ?? {};
  return {
    ...tile,
    insight,
    last_refresh: insight.last_refresh,
    is_cached: insight.is_cached,
    ...(error === true ? { error: { type: 'QueryError', message: String(message) } } : {}),
  };
}
