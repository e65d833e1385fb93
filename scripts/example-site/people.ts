import { randomBytes } from 'node:crypto'
import type { BuiltinRole } from '@iot/shared/contract/access/role'
import type { Db } from 'server/src/core/db/db'
import { hashPassword, quickCost } from 'server/src/modules/auth/policy/password'
import { role } from 'server/src/tables/role'
import { user, userRole } from 'server/src/tables/user'
import { uuidv7 } from 'uuidv7'
import { projectId } from '../simulate-building/seed'
import { author, type Recorder } from './recorder'

type Person = {
  username: string
  name: string
  role: BuiltinRole
  projectIds: number[] | 'all'
}
const people: Person[] = [
  { username: 'zhang.min', name: '张敏', role: 'platform-admin', projectIds: 'all' },
  { username: 'li.qiang', name: '李强', role: 'project-admin', projectIds: [projectId, 2] },
  { username: 'wang.lei', name: '王磊', role: 'operator', projectIds: [projectId] },
  { username: 'chen.jie', name: '陈洁', role: 'visitor', projectIds: [projectId] },
]
export type ExamplePerson = Pick<Person, 'username' | 'name'> & { id: string }

/**
 * Adds a user of each built-in role. Nobody knows their passwords: they are random and not kept, so an administrator
 * resets one to try a role. The second platform administrator is disabled, because an account that nobody can use must
 * not count as the last administrator.
 */
export async function addPeople(tx: Db, recorder: Recorder): Promise<ExamplePerson[]> {
  const roles = await tx.select({ id: role.id, code: role.code }).from(role)
  const rows = await Promise.all(
    people.map(async ({ username, name, projectIds, role: roleCode }) => ({
      ...author,
      id: uuidv7(),
      username,
      usernameKey: username,
      name,
      phone: '',
      email: `${username}@tech-park.example`,
      allProjects: projectIds === 'all',
      projectIds: projectIds === 'all' ? [] : projectIds,
      disabled: roleCode === 'platform-admin',
      builtin: false,
      mustChangePassword: true,
      passwordHash: await hashPassword(randomBytes(32).toString('base64'), quickCost),
    })),
  )
  await tx.insert(user).values(rows)
  await tx.insert(userRole).values(
    rows.map(({ id }, index) => ({
      userId: id,
      roleId: roles.find(({ code }) => code === people[index]!.role)!.id,
    })),
  )
  recorder.add('user', rows)
  return rows
}
