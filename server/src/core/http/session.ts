import type { PasswordDueReason } from '@iot/shared/contract/access/auth.schema'
import type { EventEmitter } from 'node:events'

export type Session = {
  id: string
  /** The proof attributes a page request to the session; it does not authorise any call. */
  proof: string
  user: {
    id: string
    username: string
    name: string
    mustChangePassword: boolean
    /** Why the password must be changed, if it must. */
    passwordDue?: PasswordDueReason
    mustEnrolSecondFactor: boolean
  }
  roles: { id: string; name: string }[]
  permissions: ReadonlySet<string>
  /** The roles grant the menus with these ids; if `permissions` has `*`, all menus are included. */
  menuIds: ReadonlySet<string>
  projectScope: 'all' | number[]
}

/** Calls that need no session are handled with this one. */
export const anonymousSession: Session = {
  id: '',
  proof: '',
  user: {
    id: '',
    username: '',
    name: '',
    mustChangePassword: false,
    mustEnrolSecondFactor: false,
  },
  roles: [],
  permissions: new Set(),
  menuIds: new Set(),
  projectScope: [],
}

/** Finds the session of a token; the sign-in module implements it. */
export type Sessions = {
  /** @throws Refusal with the reason if the token has no session any more */
  find: (token: string) => Promise<Session>
  /** @throws Refusal as `find` does */
  findByProof: (proof: string) => Promise<Session>
  /** Sa-Token's convention is exactly one space after Bearer; a bare token is refused. */
  fromHeader: (header: string | string[] | undefined) => Promise<Session>
  /** Drops cached sessions after permissions or users have changed. */
  forget: () => void
  /** Reports that sessions of this user have ended; owners of open connections listen to `ended`. */
  end: (userId: string) => void
  /** Keeps an eye on a session with an open connection; the returned function ends it. */
  watch: (session: Session) => () => void
  /** Drops sessions that another process has ended and reports their users. */
  dropEnded: () => Promise<void>
  events: EventEmitter<{ ended: [userId: string] }>
}
