import { useRequest } from 'ahooks'
import { Button, Skeleton } from 'antd'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { deviceApi, type ActionMode, type SpaceLights } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import type { Space } from '@iot/shared/contract/project'
import type { Asked } from '@iot/shared/control/confirmControl'
import { litText, type Counts, type Only } from '@iot/shared/plan/lights'
import { lightsWithin, type SpaceTree } from '@iot/shared/plan/spaces'
import { liveReloadAtom } from '@iot/shared/session/live'
import { Right } from '@iot/shared/ui/right'
import { FailedLine } from '@iot/shared/ui/usePage'
import { asking, verbOfLights } from './actions'
import * as styles from './matrix.module.css'

type FloorMatrixProps = {
  projectId: number
  tree: SpaceTree
  /** Limits the matrix to one building; without it all buildings are shown. */
  space?: Space
  counts: ReadonlyMap<string, SpaceLights>
  problems?: Record<string, number>
  modes: ActionMode[]
  only?: Only
  busy: boolean
  stopped?: string
  onShow: (floorId: string) => void
  onAsk: (asked: Asked) => void
}

const every = 20_000

/** Reads the measured values of a project's floors, and polls them while the page is visible. */
export function useMeasures(projectId: number) {
  const reload = useAtomValue(liveReloadAtom)
  const { data, error, refresh } = useRequest(
    () => call(deviceApi.floors, { projectId }, { quiet: true }),
    { refreshDeps: [projectId, reload], pollingInterval: every, pollingWhenHidden: false },
  )
  const of = (floorId: string) => data?.find((one) => one.floorId === floorId)
  return { of, isKnown: data !== undefined, error, refresh }
}

/** Shows all floors, the highest on top: lit lamps of all lamps, temperature, power and incidents. */
export default function FloorMatrix({
  projectId,
  tree,
  space,
  counts,
  problems = {},
  modes,
  only,
  busy,
  stopped,
  onShow,
  onAsk,
}: FloorMatrixProps) {
  const measures = useMeasures(projectId)
  const buildings = space ? [space] : tree.children(null)

  return (
    <>
      {measures.error && (
        <FailedLine
          why={measures.error.message}
          hasRows={measures.isKnown}
          onRetry={measures.refresh}
        />
      )}
      {stopped && (
        <span role="status" className={styles.since}>
          数据截至 {stopped}
        </span>
      )}
      <div className={`${styles.buildings} ${stopped ? styles.stopped : ''}`}>
        {buildings.map(({ id, name }) => (
          <section key={id} aria-label={name} className={styles.building}>
            <h3>{name}</h3>
            {[...tree.floorsOf(id)].reverse().map((floor) => {
              const lights = lightsWithin(tree, counts, floor.id)
              const measure = measures.of(floor.id)
              const wrong = problems[floor.id] ?? 0
              return (
                <div
                  key={floor.id}
                  className={`${styles.floor} ${only && lights[only] === 0 ? styles.aside : ''}`}
                >
                  <button
                    type="button"
                    className={styles.open}
                    aria-label={`${name} ${floor.name}，${litText(lights)}`}
                    onClick={() => onShow(floor.id)}
                  >
                    <b title={floor.name}>{floor.name}</b>
                    <Lit {...lights} />
                    {!measures.isKnown && !measures.error ? (
                      <Skeleton.Input active size="small" style={{ width: 96, height: 16 }} />
                    ) : (
                      <>
                        <span className={styles.measure} title="温度">
                          {measure?.temperature == null ? '未知' : `${measure.temperature} °C`}
                        </span>
                        <span className={styles.measure} title="功率">
                          {measure?.power == null ? '未知' : `${measure.power} kW`}
                        </span>
                      </>
                    )}
                    <span className={wrong > 0 ? styles.wrong : styles.fine}>
                      {wrong > 0 ? `${wrong} 个问题` : '正常'}
                    </span>
                  </button>
                  <span className={styles.actions}>
                    {modes.filter(verbOfLights).map((mode) => (
                      <Right
                        key={mode.actionType}
                        to={rights.bulkControl}
                        unless={busy && '编辑模式下不下发命令'}
                      >
                        <Button
                          size="small"
                          aria-label={`${verbOfLights(mode)} ${name} ${floor.name}`}
                          onClick={() =>
                            onAsk(
                              asking(
                                mode,
                                projectId,
                                { kind: 'space', spaceId: floor.id },
                                tree.nameOf(floor.id),
                              ),
                            )
                          }
                        >
                          {verbOfLights(mode)}
                        </Button>
                      </Right>
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
type LitProps = Pick<Counts, 'on' | 'total' | 'unknown'>

export const Lit = ({ on, total, unknown }: LitProps) => (
  <span className={styles.lit} title={litText({ on, total, unknown })}>
    <i aria-hidden>
      <i style={{ width: `${total > 0 ? (on / total) * 100 : 0}%` }} />
    </i>
    {on}/{total}
    {unknown > 0 && <small className={styles.unknown}>未知 {unknown}</small>}
  </span>
)
