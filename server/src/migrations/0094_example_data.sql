CREATE TABLE "example_row" (
	"kind" text NOT NULL,
	"row_id" text NOT NULL,
	CONSTRAINT "example_row_kind_row_id_pk" PRIMARY KEY("kind","row_id")
);
--> statement-breakpoint
CREATE TABLE "example_site" (
	"id" integer PRIMARY KEY NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"cleared_by" text DEFAULT '' NOT NULL,
	"cleared_time" timestamp with time zone
);
