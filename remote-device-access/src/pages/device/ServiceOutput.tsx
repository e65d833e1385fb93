import { Descriptions } from 'antd'
import type { Param } from '@iot/shared/contract/thingModel'
import { valueText } from './valueText'

type ServiceOutputProps = { data: Record<string, unknown>; known: Param[] }

/** Shows the output of a service with the names of its parameters. */
export const ServiceOutput = ({ data, known }: ServiceOutputProps) =>
  Object.keys(data).length > 0 && (
    <Descriptions
      column={1}
      bordered
      size="small"
      items={Object.entries(data).map(([identifier, value]) => {
        const of = known.find((one) => one.identifier === identifier)
        return {
          key: identifier,
          label: of?.name ?? identifier,
          children: valueText(of?.dataType, value),
        }
      })}
    />
  )
