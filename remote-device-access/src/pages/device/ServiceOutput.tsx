import Descriptions from 'antd/es/descriptions'
import type { Param } from '@iot/shared/contract/thingModel/thingModel.schema'
import { formatDeviceValue } from './formatDeviceValue'

type ServiceOutputProps = { data: Record<string, unknown>; outputParams: Param[] }

/** Shows the output of a service with the names of its parameters. */
export const ServiceOutput = ({ data, outputParams }: ServiceOutputProps) =>
  Object.keys(data).length > 0 && (
    <Descriptions
      column={1}
      bordered
      size="small"
      items={Object.entries(data).map(([identifier, value]) => {
        const param = outputParams.find((candidate) => candidate.identifier === identifier)
        return {
          key: identifier,
          label: param?.name ?? identifier,
          children: formatDeviceValue(param?.dataType, value),
        }
      })}
    />
  )
