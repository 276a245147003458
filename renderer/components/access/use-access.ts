import { computed } from 'vue';
import { getDashboardAccess, setAccessRule } from '../../api/access.api.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useChange } from '../../composables/use-change.ts';
import { useSessionStore } from '../../stores/session.store.ts';
import { isAbout, modeOf, peopleOf, planFor, type AccessMode, type PersonChoice } from './access-people.ts';

/** Who may see and edit a dashboard, and how that is changed. */
export function useAccess(projectId: number, dashboardId: number) {
  const session = useSessionStore();
  const { answer, failure, ask } = useAnswer(() => getDashboardAccess(projectId, dashboardId));
  const { isBusy, problem, run } = useChange('Access could not be changed');

  const people = computed(() => (answer.value ? peopleOf(answer.value) : []));
  const mode = computed(() => (answer.value ? modeOf(answer.value) : 'edit'));
  const ownUuid = computed(() => session.session!.user.uuid);
  const canEditLevels = computed(() => answer.value?.canEditLevels === true);
  /** Only the creator and admins may restrict it; manager access is not enough. */
  const canRestrict = computed(
    () => people.value.find(({ userUuid }) => userUuid === ownUuid.value)?.isFixed === true,
  );

  function change(task: () => Promise<void>): Promise<void> {
    return run(async () => {
      try {
        await task();
      } finally {
        // Also what a failure left half done is shown as it is.
        await ask();
      }
    });
  }

  /** Sets the access of all members without a rule. */
  function setMode(next: AccessMode): Promise<void> {
    return change(async () => {
      const { dashboard, rules } = answer.value!;
      const before = rules.find(isAbout(null));
      const level = next === 'named' ? 'none' : null;
      if ((before?.access_level ?? null) !== level) await setAccessRule(projectId, dashboardId, null, level);
      const restriction = next === 'edit' ? 21 : 37;
      if (dashboard.restriction_level !== restriction)
        await api.patch('P/dashboards/:id/', {
          projectId,
          id: dashboardId,
          body: { restriction_level: restriction },
        });
      // Members with edit access and without a rule would lose the dashboard together with all others.
      const kept = people.value.filter(
        ({ isNamed, isFixed, choice, membershipId }) =>
          isNamed && !isFixed && choice === 'edit' && !rules.some(isAbout(membershipId)),
      );
      if (next === 'named')
        for (const { membershipId } of kept)
          await setAccessRule(projectId, dashboardId, membershipId, 'editor');
    });
  }

  /** Sets what one person may do. */
  function choose(userUuid: string, choice: PersonChoice): Promise<void> {
    return change(async () => {
      const access = answer.value!;
      const { membershipId } = people.value.find((one) => one.userUuid === userUuid)!;
      const { rule, collaborator } = planFor(access, membershipId, choice);
      const before = access.rules.find(isAbout(membershipId));
      if ((before?.access_level ?? null) !== rule)
        await setAccessRule(projectId, dashboardId, membershipId, rule);
      await setCollaborator(userUuid, collaborator);
    });
  }

  /** Says nothing of a person alone any more. */
  function forget(userUuid: string): Promise<void> {
    return change(async () => {
      const { membershipId } = people.value.find((one) => one.userUuid === userUuid)!;
      if (answer.value!.rules.some(isAbout(membershipId)))
        await setAccessRule(projectId, dashboardId, membershipId, null);
      await setCollaborator(userUuid, answer.value!.dashboard.restriction_level === 37 ? false : null);
    });
  }

  async function setCollaborator(userUuid: string, wanted: boolean | null): Promise<void> {
    const isOne = answer.value!.collaborators.some((one) => one.user_uuid === userUuid);
    const place = { projectId, dashboard_id: dashboardId };
    if (wanted === true && !isOne)
      await api.post('P/dashboards/:dashboard_id/collaborators/', {
        ...place,
        body: { level: 37, user_uuid: userUuid },
      });
    if (wanted === false && isOne)
      await api.delete('P/dashboards/:dashboard_id/collaborators/:user__uuid/', {
        ...place,
        user__uuid: userUuid,
      });
  }

  void ask();
  return {
    answer,
    failure,
    ask,
    people,
    mode,
    ownUuid,
    canEditLevels,
    canRestrict,
    isBusy,
    problem,
    setMode,
    choose,
    forget,
  };
}
