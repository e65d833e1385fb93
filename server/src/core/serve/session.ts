import type { EventEmitter } from 'node:events'

export type Session = {
  id: string
  /** By which a page is known to be asked for by it; who has it can call nothing. */
  proof: string
  user: { id: string; username: string; name: string; mustChangePassword: boolean }
  roles: { id: string; name: string }[]
  permissions: ReadonlySet<string>
  /** Ids of the menus the roles hold; all of them when `permissions` has `*`. */
  menuIds: ReadonlySet<string>
  projectScope: 'all' | number[]
}

/** Who calls what needs no session. */
export const anonymous: Session = {
  id: '',
  proof: '',
  user: { id: '', username: '', name: '', mustChangePassword: false },
  roles: [],
  permissions: new Set(),
  menuIds: new Set(),
  projectScope: [],
}

/** Finds the session of a token; the sign-in module brings it. */
export type Sessions = {
  /** @throws Refusal with the reason where the token has no session any more */
  find: (token: string) => Promise<Session>
  /** @throws Refusal as `find` does */
  proved: (proof: string) => Promise<Session>
  /** Sa-Token's convention: exactly one space after Bearer; a bare token is refused. */
  fromHeader: (header: string | string[] | undefined) => Promise<Session>
  /** Rights or users changed. */
  forget: () => void
  /** Some sessions of this user are over; who holds something open for them listens to `ended`. */
  end: (userId: string) => void
  events: EventEmitter<{ ended: [userId: string] }>
}
