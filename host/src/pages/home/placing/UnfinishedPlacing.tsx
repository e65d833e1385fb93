import { useNavigate } from 'react-router-dom'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { Unfinished } from '../Unfinished'

type UnfinishedPlacingProps = { draft: string; floorId: string; name: string }

/** Offers back, for who may place devices, where those of a floor were put and not saved. */
export default function UnfinishedPlacing({ draft, floorId, name }: UnfinishedPlacingProps) {
  const navigate = useNavigate()
  return (
    useCan()(managedDeviceApi.place) && (
      <Unfinished
        draft={draft}
        what={`摆放：${name}`}
        onGoOn={() => void navigate(paths.home({ placing: floorId }))}
      />
    )
  )
}
