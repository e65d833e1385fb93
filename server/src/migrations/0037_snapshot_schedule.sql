CREATE TABLE "snapshot_schedule" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"every" text NOT NULL,
	"keep" integer NOT NULL,
	"next_time" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "project_snapshot" ADD COLUMN "scheduled" boolean DEFAULT false NOT NULL;