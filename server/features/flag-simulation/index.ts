export { flagSimulationRoutes } from './flag-simulation.routes.ts';
export { createFlagSimulation } from './flag-simulation.service.ts';
