import Button from 'antd/es/button'
import Skeleton from 'antd/es/skeleton'
import { useAtomValue } from 'jotai'
import { formatPower, formatTemperature } from '@iot/shared/contract/control/measuredText'
import type { ActionMode, SpaceLights } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { Space } from '@iot/shared/contract/project/project.schema'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { formatLitCounts, type LightStateCounts, type LightFilter } from '@iot/shared/plan/lights'
import { sumLightCounts, type SpaceTree } from '@iot/shared/plan/spaces'
import { liveReloadAtom } from '@iot/shared/session/live'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { usePolling } from '@iot/shared/ui/usePolling'
import { createBulkAction, getLightVerb } from './bulkActions'
import * as styles from './matrix.module.css'

type FloorMatrixProps = {
  projectId: number
  tree: SpaceTree
  /** Limits the matrix to one building; without it all buildings are shown. */
  space?: Space
  counts: ReadonlyMap<string, SpaceLights>
  incidents?: Record<string, number>
  modes: ActionMode[]
  only?: LightFilter
  busy: boolean
  staleSince?: string
  onShow: (floorId: string) => void
  onAsk: (action: ControlConfirmation) => void
}

const pollIntervalMs = 20_000

/** Reads the measured values of a project's floors, and polls them while the page is visible. */
export function useFloorMeasures(projectId: number) {
  const reload = useAtomValue(liveReloadAtom)
  const { data, error, refresh } = usePolling(
    deviceApi.floors,
    { projectId },
    { intervalMs: pollIntervalMs, refreshDeps: [reload] },
  )
  const findByFloor = (floorId: string) => data?.find((candidate) => candidate.floorId === floorId)
  return { of: findByFloor, isKnown: data !== undefined, error, refresh }
}

/** Shows all floors, the highest on top: lit lamps of all lamps, temperature, power and incidents. */
export default function FloorMatrix({
  projectId,
  tree,
  space,
  counts,
  incidents = {},
  modes,
  only,
  busy,
  staleSince,
  onShow,
  onAsk,
}: FloorMatrixProps) {
  const measures = useFloorMeasures(projectId)
  const buildings = space ? [space] : tree.children(null)

  return (
    <>
      {measures.error && (
        <LoadErrorAlert
          why={measures.error.message}
          hasRows={measures.isKnown}
          onRetry={measures.refresh}
        />
      )}
      {staleSince && (
        <span role="status" className={styles.since}>
          数据截至 {staleSince}
        </span>
      )}
      <div className={`${styles.buildings} ${staleSince ? styles.stopped : ''}`}>
        {buildings.map(({ id, name }) => (
          <section key={id} aria-label={name} className={styles.building}>
            <h3>{name}</h3>
            {[...tree.floorsOf(id)].reverse().map((floor) => {
              const lights = sumLightCounts(tree, counts, floor.id)
              const measure = measures.of(floor.id)
              const incidentCount = incidents[floor.id] ?? 0
              return (
                <div
                  key={floor.id}
                  className={`${styles.floor} ${only && lights[only] === 0 ? styles.aside : ''}`}
                >
                  <button
                    type="button"
                    className={styles.open}
                    aria-label={`${name} ${floor.name}，${formatLitCounts(lights)}`}
                    onClick={() => onShow(floor.id)}
                  >
                    <b title={floor.name}>{floor.name}</b>
                    <LitBar {...lights} />
                    {!measures.isKnown && !measures.error ? (
                      <Skeleton.Input active size="small" style={{ width: 96, height: 16 }} />
                    ) : (
                      <>
                        <span className={styles.measure} title="温度">
                          {measure?.temperature == null
                            ? '未知'
                            : formatTemperature(measure.temperature)}
                        </span>
                        <span className={styles.measure} title="功率">
                          {measure?.power == null ? '未知' : formatPower(measure.power)}
                        </span>
                      </>
                    )}
                    <span className={incidentCount > 0 ? styles.wrong : styles.fine}>
                      {incidentCount > 0 ? `${incidentCount} 条告警` : '正常'}
                    </span>
                  </button>
                  <span className={styles.actions}>
                    {modes.filter(getLightVerb).map((mode) => (
                      <Can
                        key={mode.actionType}
                        to={devicePermissions.bulkControl}
                        unless={busy && '编辑模式下不下发命令'}
                      >
                        <Button
                          size="small"
                          aria-label={`${getLightVerb(mode)} ${name} ${floor.name}`}
                          onClick={() =>
                            onAsk(
                              createBulkAction(
                                mode,
                                projectId,
                                { kind: 'space', spaceId: floor.id },
                                tree.nameOf(floor.id),
                              ),
                            )
                          }
                        >
                          {getLightVerb(mode)}
                        </Button>
                      </Can>
                    ))}
                  </span>
                </div>
              )
            })}
          </section>
        ))}
      </div>
    </>
  )
}

/** Shows the number of lit lamps of all lamps as a bar and in figures. */
type LitBarProps = Pick<LightStateCounts, 'on' | 'total' | 'unknown'>

export const LitBar = ({ on, total, unknown }: LitBarProps) => (
  <span className={styles.lit} title={formatLitCounts({ on, total, unknown })}>
    <i aria-hidden>
      <i style={{ width: `${total > 0 ? (on / total) * 100 : 0}%` }} />
    </i>
    {on}/{total}
    {unknown > 0 && <small className={styles.unknown}>未知 {unknown}</small>}
  </span>
)
