import {
  findIncompatibility,
  getHostInterface,
} from '@iot/shared/contract/release/buildCompatibility'
import type {
  AppName as Name,
  Pointer,
  ReleaseRecord,
} from '@iot/shared/contract/release/release.schema'
import { getDeployed } from './pointer.ts'
import { ReleaseRefusal } from './releaseRefusal.ts'

type ReadRecord = (name: Name, build: string) => Promise<ReleaseRecord>

/**
 * Checks that every remote is compatible with the host after the coming builds are served.
 * @throws ReleaseRefusal otherwise
 */
export async function assertCompatible(
  pointer: Pointer,
  upcomingRecords: ReleaseRecord[],
  readRecord: ReadRecord,
) {
  const getUpcomingRecord = async (name: Name) => {
    const now = getDeployed(pointer, name)
    return (
      upcomingRecords.find((upcoming) => upcoming.name === name) ??
      (now && readRecord(name, now.build))
    )
  }
  const host = await getUpcomingRecord('host')
  if (!host) return
  const isNewHost = upcomingRecords.includes(host)
  const names = new Set([
    ...Object.keys(pointer.remotes),
    ...upcomingRecords.map(({ name }) => name),
  ])
  names.delete('host')
  for (const name of names) {
    const isComing = upcomingRecords.some((upcoming) => upcoming.name === name)
    const canary = isComing ? undefined : pointer.remotes[name]?.canary
    const remotes = [
      await getUpcomingRecord(name),
      isNewHost && canary && (await readRecord(name, canary.build)),
    ]
    for (const remote of remotes) {
      if (!remote || (!isNewHost && !upcomingRecords.includes(remote))) continue
      const incompatibility = findIncompatibility(remote, getHostInterface(host))
      if (incompatibility)
        throw new ReleaseRefusal(
          `${name} ${remote.build} 不能与控制台 ${host.build} 一起使用：${incompatibility}`,
        )
    }
  }
}

/**
 * Returns the remotes of a pointer, each with the reason if a host cannot run it. A canary that it cannot run ends.
 */
export async function markIncompatible(
  remotes: Pointer['remotes'],
  host: ReleaseRecord,
  readRecord: ReadRecord,
) {
  const findReason = async (name: Name, build: string) =>
    readRecord(name, build).then(
      (record) => findIncompatibility(record, getHostInterface(host)),
      () => '读不到它的发布记录',
    )
  const markedRemotes: Pointer['remotes'] = {}
  for (const [name, { incompatibility: _, canary, ...deployed }] of Object.entries(remotes)) {
    const reason = await findReason(name, deployed.build)
    const keepsCanary = canary && !(await findReason(name, canary.build))
    markedRemotes[name] = {
      ...deployed,
      ...(keepsCanary && { canary }),
      ...(reason && { incompatibility: reason }),
    }
  }
  return markedRemotes
}
