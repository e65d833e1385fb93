-- Rows of before stay in a part of their own. A hypertable of TimescaleDB, and a table Citus distributed, are left as they are.
DO $$
DECLARE
	former text;
	until date;
	elsewhere boolean := false;
	filled boolean;
BEGIN
	IF to_regclass('_timescaledb_catalog.hypertable') IS NOT NULL THEN
		EXECUTE 'SELECT EXISTS (SELECT FROM _timescaledb_catalog.hypertable WHERE table_name = ''property_history'')' INTO elsewhere;
	END IF;
	IF NOT elsewhere AND to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
		EXECUTE 'SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = ''property_history''::regclass)' INTO elsewhere;
	END IF;
	IF elsewhere THEN
		RETURN;
	END IF;
	SELECT greatest((now() AT TIME ZONE 'UTC')::date, (max("time") AT TIME ZONE 'UTC')::date) + 1, count(*) > 0 INTO until, filled FROM "property_history";
	IF NOT filled THEN
		DROP TABLE "property_history";
	ELSE
		former := 'property_history_until_' || to_char(until, 'YYYYMMDD');
		EXECUTE format('ALTER TABLE "property_history" RENAME TO %I', former);
		EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT "property_history_project_id_device_id_identifier_time_pk" TO "property_history_until_pk"', former);
		ALTER INDEX "property_history_time" RENAME TO "property_history_until_time";
	END IF;
	CREATE TABLE "property_history" (
		"project_id" integer NOT NULL,
		"device_id" uuid NOT NULL,
		"identifier" text NOT NULL,
		"time" timestamp with time zone NOT NULL,
		"value" jsonb NOT NULL,
		CONSTRAINT "property_history_project_id_device_id_identifier_time_pk" PRIMARY KEY("project_id","device_id","identifier","time")
	) PARTITION BY RANGE ("time");
	IF filled THEN
		EXECUTE format('ALTER TABLE "property_history" ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', former, to_char(until, 'YYYY-MM-DD') || 'T00:00:00Z');
	END IF;
END $$;
