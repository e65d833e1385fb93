import { Descriptions } from 'antd'
import type { Param } from '@iot/shared/contract/thingModel'
import { valueWords } from '@iot/shared/contract/thingText'

type ServiceOutputProps = { data: Record<string, unknown>; known: Param[] }

/** What a service brought, by the names of its output. */
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
          children: valueWords(of?.dataType, value),
        }
      })}
    />
  )
