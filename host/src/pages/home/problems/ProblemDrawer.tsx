import Drawer from 'antd/es/drawer'
import type { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { OpenIncidents } from '@iot/shared/ui/openIncidents'
import type { OpenIncidentsData } from '@iot/shared/ui/useOpenIncidents'
import { LitPlaces, type LitPlacesProps } from './LitPlaces'

type ProblemDrawerProps = LitPlacesProps & {
  incidents: OpenIncidentsData
  onLocate: (incident: AlarmIncident) => void
  onClose: () => void
}

/** Lists the open incidents, and below them the places with unneeded light. Links to other pages close the drawer. */
export default function ProblemDrawer({
  incidents,
  onLocate,
  onClose,
  onAsk,
  ...litPlaces
}: ProblemDrawerProps) {
  return (
    <Drawer open title="现在有问题" size={560} onClose={onClose}>
      <OpenIncidents
        incidents={incidents}
        emptyText="现在没有问题"
        onLocate={(incident) => (onClose(), onLocate(incident))}
      />
      <LitPlaces {...litPlaces} onAsk={(action) => (onClose(), onAsk(action))} />
    </Drawer>
  )
}
