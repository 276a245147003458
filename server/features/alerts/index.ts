import type { Feature } from '../../http/define-route.ts';
import type { Outgoing } from '../outgoing/index.ts';
import { createAlertChecks, type AlertChecks, type AlertChecksParts } from './alert-checks.ts';
import { createAlertWebhooks } from './alert-webhooks.ts';
import { alertResource } from './alerts.resource.ts';
import { alertRoutes, type AlertRouteParts } from './alerts.routes.ts';
import { createAlerts, type AlertsParts } from './alerts.service.ts';

export { type AlertNotice } from './alert-checks.ts';

export async function alertsFeature(
  needs: AlertsParts & AlertChecksParts & Omit<AlertRouteParts, 'alerts'> & { outgoing: Outgoing },
): Promise<Feature & { checks: AlertChecks }> {
  const { outgoing, log } = needs;
  const alerts = createAlerts(needs);
  const onFailure = (error: unknown): void =>
    log.error({ err: error }, 'What became of a webhook was not kept');
  const webhooks = createAlertWebhooks({ outgoing, onFailure });
  const checks = createAlertChecks({ ...needs, alerts, webhooks });
  await checks.start();
  return {
    name: 'alerts',
    checks,
    resources: [alertResource],
    routes: alertRoutes({ ...needs, alerts }),
    close: checks.close,
  };
}
