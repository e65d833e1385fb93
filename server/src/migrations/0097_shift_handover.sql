CREATE TABLE "shift_handover" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"shift_start" timestamp with time zone NOT NULL,
	"shift_end" timestamp with time zone NOT NULL,
	"note" text NOT NULL,
	"carried_over" jsonb NOT NULL,
	"given_by" text NOT NULL,
	"given_time" timestamp with time zone NOT NULL,
	"taken_by" text DEFAULT '' NOT NULL,
	"taken_time" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "shift_setting" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"starts" jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX "shift_handover_time" ON "shift_handover" USING btree ("project_id","given_time");--> statement-breakpoint
CREATE UNIQUE INDEX "shift_handover_waiting" ON "shift_handover" USING btree ("project_id") WHERE "shift_handover"."taken_time" is null;