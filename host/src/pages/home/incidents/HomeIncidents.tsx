import { lazyPart } from '@iot/shared/ui/lazyPart'
import { useOpenIncidents } from '@iot/shared/ui/useOpenIncidents'
import * as styles from './homeIncidents.module.css'

const OpenIncidents = lazyPart(async () => ({
  default: (await import('@iot/shared/ui/openIncidents')).OpenIncidents,
}))

/** Lists the open incidents of the project below its problems; many scroll, so that the floor plan stays in sight. */
export function HomeIncidents({ projectId }: { projectId: number }) {
  const incidents = useOpenIncidents({ projectId })
  if (!incidents.error && !incidents.total) return null
  return (
    <div className={styles.incidents}>
      <OpenIncidents incidents={incidents} />
    </div>
  )
}
