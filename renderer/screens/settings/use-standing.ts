import { computed } from 'vue';
import { useSessionStore } from '../../stores/session.store.ts';

const ADMIN = 8;

/** Who is signed in, and what they may do in the organization. */
export function useStanding() {
  const session = useSessionStore();
  const user = computed(() => session.session!.user);
  /** 1 member, 8 admin, 15 owner. */
  const level = computed(() => user.value.organization?.membership_level ?? 1);
  const isAdmin = computed(() => level.value >= ADMIN);
  return { user, level, isAdmin };
}
