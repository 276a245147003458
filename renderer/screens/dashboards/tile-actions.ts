/** What a tile asks its dashboard to do with it. */
export type TileAction =
  | 'full'
  | 'open'
  | 'hogql'
  | 'refresh'
  | 'csv'
  | 'png'
  | 'settings'
  | 'duplicate'
  | 'move'
  | 'copy'
  | 'remove';
