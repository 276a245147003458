import world from 'world-atlas/countries-110m.json';
import { countryShapes, type World } from './world-shapes.ts';

/** The countries of the world (Natural Earth, 1:110 million); loaded only where a map is drawn. */
export const COUNTRIES = countryShapes(world as unknown as World);
