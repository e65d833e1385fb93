import { call } from '@iot/shared/client/call'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import ImportDialog from '@iot/shared/ui/importDialog'
import { sheet } from './manufacturerSheet'

type ManufacturerImportProps = { onImported: () => void; onClose: () => void }

export default function ManufacturerImport(props: ManufacturerImportProps) {
  // A picture cannot come in a table.
  const send = (rows: Record<string, unknown>[], signal: AbortSignal) =>
    call(
      manufacturerApi.importRows,
      { rows: rows.map((row) => ({ ...row, logo: '' })) },
      { signal },
    )
  return <ImportDialog name="厂商" columns={sheet} send={send} {...props} />
}
